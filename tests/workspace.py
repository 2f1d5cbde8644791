"""A folder with a stack file, and the real `hdictl` run in it as a person would."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    def ok(self) -> Outcome:
        assert self.code == 0, f"exit {self.code}\n{self.out}\n{self.err}"
        return self

    def failed_or_ok(self) -> Outcome:
        """Either is fine; a traceback is not."""
        return self if self.code == 0 else self.failed(1)

    def failed(self, code: int, *said: str) -> Outcome:
        """The right exit code, one clear message, no traceback."""
        text = self.out + self.err
        assert self.code == code, f"exit {self.code} instead of {code}\n{text}"
        assert "Traceback" not in text, text
        for words in said:
            assert words in text, f"`{words}` is not said:\n{text}"
        return self


@dataclass
class Workspace:
    folder: Path
    target: str = "local"
    environ: dict[str, str] = field(default_factory=dict)

    def write(self, stack: dict[str, Any] | str, file: str = "stack.yaml") -> None:
        text = stack if isinstance(stack, str) else yaml.safe_dump(stack, sort_keys=False)
        (self.folder / file).write_text(text)

    def run(self, *arguments: str, stdin: str = "", timeout: float = 600) -> Outcome:
        done = subprocess.run(
            self.command(*arguments),
            cwd=self.folder,
            env=self.environment(),
            input=stdin,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        return Outcome(done.returncode, done.stdout, done.stderr)

    def interrupted(self, *arguments: str, when: Callable[[], bool], signal_number: int = signal.SIGINT) -> Outcome:
        """Run until `when` holds, then send the signal that Ctrl-C sends. One that was quicker ends as it ends."""
        child = subprocess.Popen(
            self.command(*arguments),
            cwd=self.folder,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            deadline = time.monotonic() + 300
            while not when() and child.poll() is None:
                assert time.monotonic() < deadline, "it never came so far"
                time.sleep(0.02)
            child.send_signal(signal_number)
            out, err = child.communicate(timeout=300)
        finally:
            child.kill()  # nothing, unless the test has failed
            child.wait()
        return Outcome(child.returncode, out, err)

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "hdictl", *arguments]

    def environment(self) -> dict[str, str]:
        own = {"HDICTL_STATE_DIR": str(self.folder / "state"), "HDICTL_TARGET": self.target, "COLUMNS": "120"}
        return {**os.environ, **own, **self.environ}


def kafka_stack(topics: dict[str, Any], *, brokers: int = 3, **more: Any) -> dict[str, Any]:
    return {
        "stack": "acceptance",
        "clusters": {"ingest": {"kind": "kafka", "workers": {"count": brokers}}},
        "topics": topics,
        **more,
    }
