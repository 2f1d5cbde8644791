"""How long work tells a person that it goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Row:
    """One of several things that are at work side by side."""

    name: str
    state: str
    is_done: bool = False
    is_failed: bool = False
    is_figures: bool = False  # the state is numbers, other ones at every look: a log hears of them now and then


class Board(Protocol):
    """Rows that change in place; whoever shows them adds how long each has taken."""

    def show(self, rows: Sequence[Row]) -> None: ...


class Progress(Protocol):
    """How long work tells a person that it goes on. Text only; it decides nothing."""

    def step(self, message: str) -> None:
        """One line that stays."""

    def track(self, label: str, total: int | None = None) -> AbstractContextManager[Callable[[int], None]]:
        """A bar; the callable takes how many more are done."""

    def board(self) -> AbstractContextManager[Board]:
        """A row each for things that take minutes."""


class Silent:
    """A `Progress` for those who want none."""

    def step(self, message: str) -> None: ...

    def track(self, label: str, total: int | None = None) -> AbstractContextManager[Callable[[int], None]]:
        return nullcontext(lambda _done: None)

    def board(self) -> AbstractContextManager[Board]:
        return nullcontext(_NoBoard())


class _NoBoard:
    def show(self, rows: Sequence[Row]) -> None: ...
