"""Batches that Livy registered and never started; they stay in `starting` for ever and hold their names."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from hdictl.drivers.livy.batch import Batch


class PhantomWatch:
    """Remembers since when each has looked like one: Livy tells no times."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since: dict[int, float] = {}

    def older_than(self, seconds: float, batches: Iterable[Batch]) -> tuple[Batch, ...]:
        """Those of all Livy's batches that have looked like phantoms for so long, as far as this watch has seen."""
        now = self._clock()
        suspects = [batch for batch in batches if batch.looks_phantom]
        self._since = {batch.id: self._since.get(batch.id, now) for batch in suspects}
        return tuple(batch for batch in suspects if now - self._since[batch.id] >= seconds)
