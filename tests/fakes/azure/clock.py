"""Time in the fake: work is a row of steps, each due some while after the one before."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

Step = Callable[[], None]


@dataclass
class Work:
    steps: list[Step]
    due: float


@dataclass
class Clock:
    """`pace` seconds a step; with 0, one step of each work whenever the world moves."""

    pace: float
    _works: list[Work] = field(default_factory=list)
    _frozen: bool = False
    _now: float = field(default_factory=time.monotonic)
    _lost: float = 0.0  # time that passed while frozen

    def start(self, steps: Iterable[Step]) -> Work:
        work = Work(list(steps), self._now + self.pace)
        self._works.append(work)
        return work

    def stop(self, work: Work) -> None:
        self._works = [each for each in self._works if each is not work]

    def freeze(self) -> None:
        self._frozen = True

    def thaw(self) -> None:
        """Time goes on from where it stood."""
        self._frozen = False
        self._lost = time.monotonic() - self._now

    def move(self, after_each: Step) -> None:
        """Do everything that is due, in its order; `after_each` sees the world after every step."""
        if self._frozen:
            return
        if self.pace == 0:
            for work in list(self._works):
                self._take(work)
            after_each()
            return
        until = time.monotonic() - self._lost
        while due := [work for work in self._works if work.due <= until]:
            work = min(due, key=lambda each: each.due)
            self._now = work.due
            self._take(work)
            after_each()
        self._now = until
        after_each()

    def _take(self, work: Work) -> None:
        step = work.steps.pop(0)
        work.due += self.pace
        if not work.steps:
            self.stop(work)
        step()
