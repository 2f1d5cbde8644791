"""How far a job is behind: from its checkpoints, which are the truth, beside the groups that others see."""

from __future__ import annotations

import time

from hdictl.ports.job_driver import JobDriver
from hdictl.ports.offsets import OffsetReader
from hdictl.streaming.lag import PartitionLag, QueryLag, reads_per_second
from hdictl.streaming.state import read_board
from hdictl.workflow.jobs.bound import BoundJob
from hdictl.workflow.jobs.checkpoints import read_checkpoints
from hdictl.workflow.jobs.status import board_content

_WINDOW_MS = 60_000  # over which it is counted what comes in


def job_lag(driver: JobDriver, bound: BoundJob, kafka: OffsetReader) -> tuple[QueryLag, ...]:
    with driver.storage(bound.name) as storage:
        checkpoints = read_checkpoints(storage)
        board = read_board(board_content(storage))
    now = round(time.time() * 1000)
    found = []
    for checkpoint in checkpoints:
        # One that has not finished a batch yet has everything before it.
        topics = list(checkpoint.offsets) or list(checkpoint.belongs_to.get("topics", {}))
        beginnings = kafka.beginnings(topics)
        ends, earlier = kafka.ends(topics), kafka.at(topics, now - _WINDOW_MS)
        group = f"{bound.spec.group}.{checkpoint.query}"
        committed = kafka.committed(group)
        # So has a partition that was added since.
        positions = {
            topic: {number: checkpoint.offsets.get(topic, {}).get(number, begin) for number, begin in parts.items()}
            for topic, parts in beginnings.items()
        }
        waiting = kafka.times(positions)
        partitions = [
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
        ]
        incoming = sum(ends[topic][number] - at for topic, parts in earlier.items() for number, at in parts.items())
        speed = reads_per_second(board.recent, checkpoint.query) if board is not None else None
        found.append(
            QueryLag(bound.name, checkpoint.query, group, tuple(partitions), now, speed, incoming * 1000 / _WINDOW_MS)
        )
    return tuple(found)
