"""A command in a process of its own, for whoever wants to do something while it runs, or to it."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.workspace import Outcome, Workspace


class Running:
    """What it says goes to files, so that it can be read at any time."""

    def __init__(self, workspace: Workspace, *arguments: str) -> None:
        self._out, self._err = Path(workspace.folder, "running.out"), Path(workspace.folder, "running.err")
        with self._out.open("w") as out, self._err.open("w") as err:
            self._process = subprocess.Popen(
                workspace.command(*arguments),
                cwd=workspace.folder,
                env=workspace.environment(),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def has_said(self, words: str) -> bool:
        return words in self._out.read_text() + self._err.read_text()

    def kill(self) -> Outcome:
        self._process.kill()
        return self.ended(30)

    def ended(self, seconds: float = 180) -> Outcome:
        code = self._process.wait(seconds)
        return Outcome(code, self._out.read_text(), self._err.read_text())
