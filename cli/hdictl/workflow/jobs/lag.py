"""How far a job is behind: from its checkpoints, which are the truth, beside the groups that others see."""

from __future__ import annotations

import time
from collections.abc import Sequence

from hdictl.errors import JobFileDamaged
from hdictl.ports.job_driver import JobDriver
from hdictl.ports.offsets import OffsetReader, Offsets
from hdictl.streaming.checkpoint import Checkpoint
from hdictl.streaming.lag import PartitionLag, QueryLag, reads_per_second
from hdictl.streaming.state import JobStatus
from hdictl.workflow.jobs.bound import BoundJob
from hdictl.workflow.jobs.checkpoints import read_checkpoints
from hdictl.workflow.jobs.status import status_of

_WINDOW_MS = 60_000  # over which it is counted what comes in


def job_lag(driver: JobDriver, bound: BoundJob, kafka: OffsetReader) -> tuple[QueryLag, ...]:
    """Of each query that has a checkpoint; of none, for a job that never ran."""
    status = status_of(driver, bound.name, bound.job.pipeline)
    with driver.storage(bound.name) as storage:
        checkpoints = read_checkpoints(storage)
    for checkpoint in checkpoints:
        if checkpoint.offsets_damage is not None:
            raise JobFileDamaged(
                f"{checkpoint.offsets_damage}; nobody knows how far `{checkpoint.query}` has read",
                where=f"job `{bound.name}`",
                fix=f"stop it, and begin anew: hdictl jobs checkpoint reset {bound.name} --to committed",
            )
    return tuple(_query_lag(bound, status, checkpoint, kafka) for checkpoint in checkpoints)


def _query_lag(bound: BoundJob, status: JobStatus, checkpoint: Checkpoint, kafka: OffsetReader) -> QueryLag:
    now = round(time.time() * 1000)
    # One that has not finished a batch yet has everything before it.
    topics = list(checkpoint.offsets) or list(checkpoint.topics)
    ends, earlier = kafka.ends(topics), kafka.at(topics, now - _WINDOW_MS)
    incoming = sum(ends[topic][number] - at for topic, parts in earlier.items() for number, at in parts.items())
    renewed = _renewed(checkpoint, topics, kafka)
    group = f"{bound.spec.group}.{checkpoint.query}"
    return QueryLag(
        job=bound.name,
        query=checkpoint.query,
        group=group,
        partitions=_partitions(_positions(checkpoint, topics, renewed, kafka), ends, kafka.committed(group), kafka),
        now_ms=now,
        reads_per_second=reads_per_second(status.board.recent, checkpoint.query) if status.board else None,
        writes_per_second=incoming * 1000 / _WINDOW_MS,
        state=status.state,
        renewed=renewed,
        damage=checkpoint.damage,
    )


def _renewed(checkpoint: Checkpoint, topics: Sequence[str], kafka: OffsetReader) -> tuple[str, ...]:
    """Topics that were deleted and made anew: the checkpoint's offsets are those of the old ones."""
    known = {topic: checkpoint.topics[topic] for topic in topics if checkpoint.topics.get(topic)}
    ids = kafka.topic_ids(known) if known else {}
    return tuple(topic for topic, id in known.items() if ids.get(topic, id) != id)


def _positions(
    checkpoint: Checkpoint, topics: Sequence[str], renewed: Sequence[str], kafka: OffsetReader
) -> dict[str, dict[int, int]]:
    """Nothing is read of a topic that was made anew, nor of a partition that was added since."""
    known = {topic: offsets for topic, offsets in checkpoint.offsets.items() if topic not in renewed}
    return {
        topic: {number: known.get(topic, {}).get(number, begin) for number, begin in parts.items()}
        for topic, parts in kafka.beginnings(topics).items()
    }


def _partitions(positions: Offsets, ends: Offsets, committed: Offsets, kafka: OffsetReader) -> tuple[PartitionLag, ...]:
    waiting = kafka.times(positions)
    return tuple(
        PartitionLag(
            topic=topic,
            partition=number,
            position=at,
            committed=committed.get(topic, {}).get(number),
            end=ends[topic][number],
            waiting_since_ms=waiting.get(topic, {}).get(number),
        )
        for topic, numbers in positions.items()
        for number, at in numbers.items()
    )
