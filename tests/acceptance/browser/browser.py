"""A real browser that looks at a page: what it shows, how wide it is, and what the console says.

The page is loaded into a frame as wide as the screen to be tried; a script beside the frame (the page itself runs none)
measures it and writes what it found into the document, which the browser prints. No driver and no port is needed.
"""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
_CONSOLE = re.compile(r"^\[[^\]]*:CONSOLE[^\]]*\] (.*)$", re.MULTILINE)
_FOUND = re.compile(r'<pre id="found">(.*?)</pre>', re.DOTALL)
_SECONDS = 120

_MEASURE = """
const frame = document.getElementById("frame");
frame.addEventListener("load", () => {
  const page = frame.contentDocument, root = page.documentElement;
  const box = (element) => element.getBoundingClientRect();
  const all = (selector) => [...page.querySelectorAll(selector)];
  document.getElementById("found").textContent = JSON.stringify({
    title: page.title,
    heading: page.querySelector("h1").innerText,
    text: page.body.innerText,
    figures: all("data").map((data) => [data.dataset.figure, data.value, data.innerText]),
    sections: all("section").map((section) => [section.querySelector("h2").innerText, box(section).height]),
    pictures: all("svg").filter((svg) => box(svg).width * box(svg).height == 0 && !svg.closest("details")).length,
    cells: all(".map path[class]").length,
    width: root.clientWidth,
    needed: root.scrollWidth,
    ground: frame.contentWindow.getComputedStyle(page.body).backgroundColor,
    ink: frame.contentWindow.getComputedStyle(page.body).color,
    loaded: frame.contentWindow.performance.getEntriesByType("resource").map((entry) => entry.name),
    scripts: page.scripts.length,
  });
});
frame.srcdoc = document.getElementById("page").value;
"""


@dataclass(frozen=True)
class Seen:
    console: tuple[str, ...]
    found: dict[str, Any]

    @property
    def figures(self) -> dict[str, tuple[float, str]]:
        """Name → value and what is shown. A name that stands in two places has the same value in both."""
        by_name: dict[str, tuple[float, str]] = {}
        for name, value, shown in self.found["figures"]:
            assert by_name.setdefault(name, (float(value), shown))[0] == float(value), name
        return by_name


@dataclass(frozen=True)
class Browser:
    program: str
    folder: Path

    def look(self, page: str, *, width: int = 1280, is_dark: bool = False) -> Seen:
        file = self.folder / "looked-at.html"
        file.write_text(
            f'<!DOCTYPE html><meta charset="utf-8"><iframe id="frame" width="{width}" height="900" '
            f'style="border: 0"></iframe><textarea id="page">{html.escape(page)}</textarea>'
            f'<pre id="found"></pre><script>{_MEASURE}</script>',
            encoding="utf-8",
        )
        done = subprocess.run(
            [*self._command(is_dark=is_dark), "--dump-dom", file.as_uri()],
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
        found = _FOUND.search(done.stdout)
        assert found is not None and found[1], f"exit {done.returncode}, nothing was measured\n{done.stderr}"
        return Seen(tuple(_CONSOLE.findall(done.stderr)), json.loads(html.unescape(found[1])))

    def _command(self, *, is_dark: bool) -> list[str]:
        return [
            self.program,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-first-run",
            f"--user-data-dir={self.folder / 'profile'}",
            "--window-size=1600,1000",
            "--enable-logging=stderr",
            "--v=0",
            f"--blink-settings=preferredColorScheme={0 if is_dark else 1}",
        ]


def installed() -> str | None:
    return next((path for path in map(shutil.which, NAMES) if path), None)
