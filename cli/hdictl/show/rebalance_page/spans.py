"""Batches as stretches of an axis, and the axis: time where a throttle makes it known, bytes otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from hdictl.rebalance.batches import Batch
from hdictl.stack.units import rounded_duration, rounded_size

_MOST_SPANS = 100
_MOST_TICKS = 8
_DAY = 86_400
_DURATIONS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, _DAY)


@dataclass(frozen=True)
class Span:
    """A batch, or several in a row where there are too many to be seen."""

    first: int
    batches: Sequence[Batch]
    begin: float  # in bytes of the busiest broker: at one byte a second these are seconds

    @property
    def name(self) -> str:
        last = self.first + len(self.batches) - 1
        return str(self.first) if last == self.first else f"{self.first}–{last}"

    @property
    def length(self) -> float:
        return sum(batch.seconds(1) for batch in self.batches)

    @property
    def end(self) -> float:
        return self.begin + self.length

    @property
    def bytes(self) -> int:
        return sum(batch.bytes for batch in self.batches)

    @property
    def inbound(self) -> Counter[int]:
        return _sum(batch.inbound for batch in self.batches)

    @property
    def outbound(self) -> Counter[int]:
        return _sum(batch.outbound for batch in self.batches)


def spans_of(batches: Sequence[Batch]) -> list[Span]:
    each = max(1, -(-len(batches) // _MOST_SPANS))
    spans: list[Span] = []
    for start in range(0, len(batches), each):
        spans.append(Span(start + 1, batches[start : start + each], spans[-1].end if spans else 0.0))
    return spans


def ticks(whole: float, throttle: int | None) -> Iterable[tuple[float, str]]:
    """Round places on an axis that ends at `whole`, and their words."""
    step = _duration_step(whole / throttle) * throttle if throttle else _size_step(whole)
    for number in range(int(whole / step) + 1):
        at = number * step
        words = rounded_duration(at / throttle) if throttle else rounded_size(at)
        yield at, words if at else "0"


def _sum(flows: Iterable[Mapping[int, int]]) -> Counter[int]:
    total: Counter[int] = Counter()
    for flow in flows:
        total.update(flow)
    return total


def _duration_step(seconds: float) -> float:
    days = max(1, -(-seconds // (_DAY * _MOST_TICKS)))
    return next((step for step in _DURATIONS if seconds / step <= _MOST_TICKS), _DAY * days)


def _size_step(size: float) -> float:
    steps = (digit * 10.0**zeros for zeros in range(30) for digit in (1, 2, 5))
    return next(step for step in steps if size / step <= _MOST_TICKS)
