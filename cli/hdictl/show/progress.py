"""Progress on stderr: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from hdictl.show.terminal import err

_LINE_SECONDS = 5.0


class TerminalProgress:
    """A `Progress` port. Each step shows the seconds since the command began."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    def step(self, message: str) -> None:
        err.print(f"[dim]{time.monotonic() - self._began:6.1f}s[/dim]  {escape(message)}")

    def track(self, label: str, total: int | None = None) -> AbstractContextManager[Callable[[int], None]]:
        return self._bar(label, total) if err.is_terminal else self._lines(label, total)

    @contextmanager
    def _bar(self, label: str, total: int | None) -> Iterator[Callable[[int], None]]:
        columns = [
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
        ]
        with Progress(*columns, console=err, transient=True) as bars:
            task = bars.add_task(escape(label), total=total)
            yield lambda done: bars.advance(task, done)

    @contextmanager
    def _lines(self, label: str, total: int | None) -> Iterator[Callable[[int], None]]:
        """A log does not want a thousand lines: one every few seconds, and one at the end."""
        done = 0
        said = time.monotonic()

        def advance(more: int) -> None:
            nonlocal done, said
            done += more
            if time.monotonic() - said >= _LINE_SECONDS or done == total:
                said = time.monotonic()
                self.step(f"{label}: {done}/{total}" if total else f"{label}: {done}")

        yield advance
