"""How far a query is behind: in records, in seconds, and when it will have caught up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hdictl.streaming.state import RUNNING, STARTING


@dataclass(frozen=True)
class PartitionLag:
    topic: str
    partition: int
    position: int  # next offset to read
    committed: int | None  # of the consumer group that shows it to others
    end: int
    waiting_since_ms: int | None  # when the next record was written; None when there is none

    @property
    def records(self) -> int:
        return max(0, self.end - self.position)


@dataclass(frozen=True)
class QueryLag:
    job: str
    query: str
    group: str
    partitions: tuple[PartitionLag, ...]
    now_ms: int
    reads_per_second: float | None  # while it is busy
    writes_per_second: float  # what comes in
    state: str = RUNNING  # of the job
    renewed: tuple[str, ...] = ()  # topics that were made anew since it read them
    damage: tuple[str, ...] = ()  # files of its checkpoint that cannot be read

    @property
    def is_at_work(self) -> bool:
        return self.state in (RUNNING, STARTING)

    @property
    def apart(self) -> tuple[PartitionLag, ...]:
        """Where the group that others see stands elsewhere than the checkpoint."""
        return tuple(each for each in self.partitions if each.committed not in (None, each.position))

    @property
    def records(self) -> int:
        return sum(each.records for each in self.partitions)

    @property
    def seconds(self) -> float:
        """How long the record that waits longest has been waiting."""
        waiting = [each.waiting_since_ms for each in self.partitions if each.waiting_since_ms is not None]
        return max(0.0, (self.now_ms - min(waiting)) / 1000) if waiting else 0.0

    @property
    def eta_seconds(self) -> float | None:
        """Until nothing waits any more; None when it does not run or catch up, or nobody knows how fast it is."""
        if self.records == 0:
            return 0.0
        if not self.is_at_work or self.reads_per_second is None or self.reads_per_second <= self.writes_per_second:
            return None
        return self.records / (self.reads_per_second - self.writes_per_second)


def reads_per_second(lines: Sequence[Mapping[str, Any]], query: str) -> float | None:
    """From the micro-batches that a job has told of last; empty ones say nothing about its speed."""
    batches = [line for line in lines if line.get("event") == "batch" and line.get("query") == query]
    busy = [line for line in batches if line.get("input_rows") and line.get("duration_ms")]
    milliseconds = sum(line["duration_ms"] for line in busy)
    return 1000 * sum(line["input_rows"] for line in busy) / milliseconds if milliseconds else None
