"""`--throttle auto`: looks at how clients fare, decides, and sets the rate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hdictl.ports.reassignment import PlacementReader
from hdictl.rebalance.auto_throttle import AutoThrottle, Sample, usual
from hdictl.rebalance.plan import Step
from hdictl.stack.units import rounded_size
from hdictl.workflow.rebalance.throttling import Throttling
from hdictl.workflow.rebalance.waiting import Waiting

_USUAL_WRITES = 5


class Sampling:
    def __init__(self, cluster: PlacementReader, throttling: Throttling, waiting: Waiting) -> None:
        self._cluster = cluster
        self._throttling = throttling
        self._waiting = waiting
        self._minimum: Mapping[str, int] = {}
        self._auto: AutoThrottle | None = None
        self._looked: float | None = None

    def look(self, moving: Sequence[Step], bytes_left: int) -> None:
        pace = self._waiting.pace
        if self._looked is not None and pace.now() - self._looked < pace.sample:
            return
        auto = self._auto or self._begun()
        after = auto.after(self._sample(moving, bytes_left))
        self._looked = pace.now()
        if after.rate != auto.rate:
            self._throttling.change(after.rate)
            self._waiting.progress.step(f"throttle {rounded_size(after.rate)}/s: {after.reason}")
        self._auto = after

    def next_batch(self) -> None:
        """Before the first one: how long a write takes here when nothing moves."""
        self._auto = (self._auto or self._begun()).for_next_batch()

    def _begun(self) -> AutoThrottle:
        writes = [self._waiting.held.timed() for _ in range(_USUAL_WRITES)]
        return AutoThrottle(self._throttling.rate or 0, usual([seconds for seconds in writes if seconds is not None]))

    def _sample(self, moving: Sequence[Step], bytes_left: int) -> Sample:
        placed = self._cluster.placement().partitions
        if not self._minimum:
            self._minimum = self._cluster.min_insync({topic for topic, _ in placed})
        # Of a partition on the move, the new replicas are not in sync yet: that is no trouble.
        arriving = {step.key: set(step.adding) for step in moving}
        behind = sum(1 for key, each in placed.items() if set(each.replicas) - arriving.get(key, set()) - each.isr)
        under = sum(1 for key, each in placed.items() if len(each.isr) < self._minimum.get(key[0], 1))
        return Sample(self._waiting.pace.now(), behind, under, self._waiting.held.timed(), bytes_left)
