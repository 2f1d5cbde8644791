"""Progress on stderr: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext

from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)

from hdictl.ports.progress import Board, Row
from hdictl.show.terminal import err

_LINE_SECONDS = 5.0
_BOARD_SECONDS = 60.0  # a log hears of a state that lasts this often
_FIGURES_SECONDS = 15.0  # and of numbers that change all the time


class TerminalProgress:
    """A `Progress` port. Each step shows the seconds since the command began."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    def step(self, message: str) -> None:
        err.print(f"[dim]{time.monotonic() - self._began:6.1f}s[/dim]  {escape(message)}")

    def track(self, label: str, total: int | None = None) -> AbstractContextManager[Callable[[int], None]]:
        return self._bar(label, total) if err.is_terminal else self._lines(label, total)

    def board(self) -> AbstractContextManager[Board]:
        return _live_board() if err.is_terminal else nullcontext(_LineBoard(self.step))

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


class _LineBoard:
    """A line whenever a row's state is another one, and now and then while it is the same."""

    def __init__(self, step: Callable[[str], None]) -> None:
        self._step = step
        self._said: dict[str, tuple[str, float]] = {}
        self._began: dict[str, float] = {}

    def show(self, rows: Sequence[Row]) -> None:
        now = time.monotonic()
        for row in rows:
            began = self._began.setdefault(row.name, now)
            state, when = self._said.get(row.name, ("", 0.0))
            if row.state == state and (row.is_done or now - when < _BOARD_SECONDS):
                continue
            if row.is_figures and not row.is_done and now - max(when, began) < _FIGURES_SECONDS:
                continue
            self._said[row.name] = (row.state, now)
            self._step(f"{row.name}: {row.state}" + (f" ({elapsed(now - began)})" if now - began >= 1 else ""))


@contextmanager
def _live_board() -> Iterator[Board]:
    """A bar for everything that is at work; what is over becomes a line above, so that a long list fits any screen."""
    columns = [TextColumn("{task.description}"), BarColumn(bar_width=20), TextColumn("{task.fields[state]}")]
    with Progress(*columns, TimeElapsedColumn(), console=err, transient=True) as bars:
        yield _LiveBoard(bars)


class _LiveBoard:
    def __init__(self, bars: Progress) -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}
        self._began: dict[str, float] = {}
        self._over: set[str] = set()

    def show(self, rows: Sequence[Row]) -> None:
        for row in rows:
            if row.name in self._over:
                continue
            if row.is_done or row.is_failed:
                self._end(row)
                continue
            if row.name not in self._tasks:
                self._tasks[row.name] = self._bars.add_task(escape(row.name), total=None, state="")
                self._began[row.name] = time.monotonic()
            self._bars.update(self._tasks[row.name], state=f"[yellow]{escape(row.state)}[/yellow]")

    def _end(self, row: Row) -> None:
        self._over.add(row.name)
        if row.name in self._tasks:
            self._bars.remove_task(self._tasks.pop(row.name))
        sign = "[red]✗[/red]" if row.is_failed else "[green]✓[/green]"
        took = elapsed(time.monotonic() - self._began.get(row.name, time.monotonic()))
        self._bars.console.print(f"  {sign} {escape(row.name)}  {escape(row.state)}  [dim]{took}[/dim]")


def elapsed(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
