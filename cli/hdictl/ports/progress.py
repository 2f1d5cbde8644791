"""How long work tells a person that it goes on."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol


class Progress(Protocol):
    """How long work tells a person that it goes on. Text only; it decides nothing."""

    def step(self, message: str) -> None:
        """One line that stays."""

    def track(self, label: str, total: int | None = None) -> AbstractContextManager[Callable[[int], None]]:
        """A bar; the callable takes how many more are done."""


class Silent:
    """A `Progress` for those who want none."""

    def step(self, message: str) -> None: ...

    def track(self, label: str, total: int | None = None) -> AbstractContextManager[Callable[[int], None]]:
        from contextlib import nullcontext

        return nullcontext(lambda _done: None)
