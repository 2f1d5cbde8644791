"""How fast replicas may be copied, decided from how the cluster's clients fare.

Pure. Trouble (a replica that fell behind, a partition under its minimum, slow writes) halves the rate at once; calm
raises it slowly. A move that never catches up with what is written is no help to anybody: when nothing has been gained
for a while, the rate goes up in spite of slow writes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf

from hdictl.stack.units import count

MB = 1_000_000


@dataclass(frozen=True)
class Bounds:
    start: int = 50 * MB  # bytes a second
    floor: int = 1 * MB
    ceiling: int = 1000 * MB
    slow_factor: float = 5.0  # times as slow as before the moves began
    slow_least: float = 0.25  # seconds; below this nobody calls a write slow
    ease_seconds: float = 2.0  # between two cuts: the last one has to show first
    calm_seconds: float = 6.0  # before a raise
    stuck_seconds: float = 30.0  # without a gain


@dataclass(frozen=True)
class Sample:
    """One look at the cluster, `time` in seconds of any clock that only goes forward."""

    time: float
    behind: int  # partitions with a replica out of sync that is not the one being copied
    under_minimum: int  # partitions that refuse writes
    write_seconds: float | None  # a small write to all in-sync replicas; None: it failed
    bytes_left: int


@dataclass(frozen=True)
class AutoThrottle:
    rate: int
    usual: float | None  # seconds that a write took before the moves began
    bounds: Bounds = Bounds()
    changed: float | None = None
    least_left: int | None = None
    gained: float = 0.0
    reason: str = ""

    def after(self, sample: Sample) -> AutoThrottle:
        seen = self._with_gain(sample)
        # Trouble at the first look counts; calm has to last first.
        since = inf if seen.changed is None else sample.time - seen.changed
        if trouble := self._refusals(sample):
            return seen._cut(sample, trouble) if since >= self.bounds.ease_seconds else seen
        if seen.changed is None:
            return replace(seen, changed=sample.time)
        is_stuck = sample.time - seen.gained > self.bounds.stuck_seconds
        if is_stuck and since >= self.bounds.calm_seconds:
            return seen._raised(sample, "nothing is gained at this rate")
        if self._is_slow(sample):
            return seen._cut(sample, "writes are slow") if since >= self.bounds.ease_seconds and not is_stuck else seen
        return seen._raised(sample, "all is calm") if since >= self.bounds.calm_seconds else seen

    def for_next_batch(self) -> AutoThrottle:
        """What is left starts anew; the rate stays."""
        return replace(self, least_left=None)

    def _with_gain(self, sample: Sample) -> AutoThrottle:
        if self.least_left is None or sample.bytes_left < self.least_left:
            return replace(self, least_left=sample.bytes_left, gained=sample.time)
        return self

    def _refusals(self, sample: Sample) -> str:
        if sample.under_minimum:
            under = count(sample.under_minimum, "partition is under its", "partitions are under their")
            return f"{under} minimum of in-sync replicas"
        if sample.behind:
            return f"{count(sample.behind, 'partition has', 'partitions have')} a replica that fell behind"
        return "a write failed" if sample.write_seconds is None else ""

    def _is_slow(self, sample: Sample) -> bool:
        if sample.write_seconds is None:
            return True
        return sample.write_seconds > max(self.bounds.slow_least, self.bounds.slow_factor * (self.usual or 0.0))

    def _cut(self, sample: Sample, reason: str) -> AutoThrottle:
        return self._to(max(self.bounds.floor, self.rate // 2), sample, reason)

    def _raised(self, sample: Sample, reason: str) -> AutoThrottle:
        return self._to(min(self.bounds.ceiling, self.rate + self.rate // 4), sample, reason)

    def _to(self, rate: int, sample: Sample, reason: str) -> AutoThrottle:
        return replace(self, rate=rate, changed=sample.time, reason=reason)


def usual(seconds: list[float]) -> float | None:
    """The one in the middle: a single slow write says nothing."""
    return sorted(seconds)[len(seconds) // 2] if seconds else None
