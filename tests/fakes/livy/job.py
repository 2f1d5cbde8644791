"""A job by its script: what it prints, burst by burst, and how it ends."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Job:
    """The first burst is printed at once, every other one when the job is released again; after the last it ends."""

    bursts: tuple[tuple[str, ...], ...] = ()
    code: int | None = 0  # None: it runs until it is killed


@dataclass
class Act:
    """A job at work."""

    job: Job
    released: int = 0

    @property
    def printed(self) -> tuple[str, ...]:
        return tuple(line for burst in self.job.bursts[: self.released + 1] for line in burst)

    @property
    def is_over(self) -> bool:
        return self.job.code is not None and self.released >= len(self.job.bursts) - 1
