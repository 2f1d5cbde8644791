"""What Spark says, added up over micro-batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hdictl.ports.jobs import BatchProgress


class Ledger:
    """A batch that was run again after a crash has the number that it had before: the last word counts."""

    def __init__(self) -> None:
        self._batches: dict[tuple[str, int], BatchProgress] = {}

    def add(self, batch: BatchProgress) -> None:
        self._batches[batch.query, batch.batch] = batch

    def output(self) -> Iterator[BatchProgress]:
        return (batch for batch in self._batches.values() if batch.is_output)

    def dead_letters(self) -> Iterator[BatchProgress]:
        return (batch for batch in self._batches.values() if not batch.is_output)

    def sum_of_output(self, amount: Callable[[BatchProgress], int]) -> int:
        return sum(amount(batch) for batch in self.output())

    def sum_of_dead_letters(self, amount: Callable[[BatchProgress], int]) -> int:
        return sum(amount(batch) for batch in self.dead_letters())

    def read(self, topic: str) -> int:
        """How many records of the topic every query has committed."""
        return min(_position(self.output(), topic), _position(self.dead_letters(), topic))

    @property
    def watermark(self) -> int:
        """The newest that a committed batch has worked with. 0 when there is none."""
        return max((batch.watermark for batch in self.output()), default=0)

    @property
    def records_per_second(self) -> int:
        """While there was something to read: the start of Spark is not the speed of the job."""
        busy = [batch for batch in self.output() if batch.input_rows]
        return sum(batch.input_rows for batch in busy) * 1000 // max(1, sum(batch.duration_ms for batch in busy))

    @property
    def batches(self) -> int:
        return sum(batch.batch >= 0 for batch in self._batches.values())


def _position(batches: Iterator[BatchProgress], topic: str) -> int:
    return max((sum(batch.end_offsets.get(topic, {}).values()) for batch in batches), default=0)
