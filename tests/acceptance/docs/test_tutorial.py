"""The tutorial and the README's tour, followed start to end: every command, every line of output that they show."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workspace import Outcome, Workspace

ROOT = Path(__file__).parents[3]
BLOCK = re.compile(r"^```(yaml|console)\n(.*?)^```", re.S | re.M)
# What differs from run to run: seconds, ports, process ids, Kafka's ids, records' times.
VOLATILE = re.compile(
    r"127\.0\.0\.1:\d+|\d+\.\d+s|\b\d+s\b|id \S{22}|\d+ MB|\"timestamp\": \d+|^(?:zookeeper|10\d\d) .*"
)


@pytest.mark.parametrize("page", ["docs/tutorial.md", "README.md"])
def test_followed_start_to_end(page, running):
    workspace: Workspace = running()
    for kind, text in BLOCK.findall((ROOT / page).read_text(encoding="utf-8")):
        if kind == "yaml":
            workspace.write(text)
            continue
        for command, code, shown in _commands(text):
            outcome = _run(workspace, command)
            assert outcome.code == code, f"{command}\n{outcome}"
            said = [_steady(line) for line in (outcome.out + outcome.err).splitlines()]
            for line in shown:
                assert _steady(line) in said, f"{command} does not print `{line}`:\n{outcome}"
        if page == "README.md" and "topics tail" in text:
            workspace.write(_changed())


def _steady(line: str) -> str:
    """What is the same in every run; columns may be narrower or wider."""
    return " ".join(VOLATILE.sub("", line).split())


def _commands(text: str) -> Iterator[tuple[str, int, list[str]]]:
    """Each `$ command`, its exit code (`# exit 3` behind it), and the lines of output shown below it."""
    for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
        first, *shown = part.strip("\n").split("\n")
        command, _, remark = first.partition("    # ")
        code = re.search(r"exit (\d)", remark)
        # The README does not comment each exit code: a plan that shows changes exits with 3.
        expected = int(code[1]) if code else 3 if any(line.startswith("plan: ") for line in shown) else 0
        yield command.strip(), expected, [line for line in shown if line.strip() and line.strip() != "…"]


def _run(workspace: Workspace, command: str) -> Outcome:
    script = f'hdictl() {{ "{sys.executable}" -m hdictl "$@"; }}\nset -o pipefail\n{command}'
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=workspace.folder,
        env=workspace.environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=400,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def _changed() -> str:
    """The README says in words how the file changes."""
    (block,) = [
        text
        for kind, text in BLOCK.findall((ROOT / "docs/tutorial.md").read_text())
        if "clicks:" in text and kind == "yaml"
    ]
    return block
