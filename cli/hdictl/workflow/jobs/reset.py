"""How a job begins anew somewhere else: its checkpoints are moved aside, and it is told where to begin."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping, Sequence
from typing import Any

from hdictl.errors import JobRefused, UsageError
from hdictl.ports.job_driver import JobDriver
from hdictl.ports.job_storage import JobStorage
from hdictl.ports.offsets import OffsetReader, Offsets
from hdictl.stack.suggest import did_you_mean
from hdictl.stack.units import milliseconds
from hdictl.streaming import state
from hdictl.streaming.checkpoint import FOLDER, OLD, Checkpoint
from hdictl.streaming.outcomes import ResetPlan
from hdictl.streaming.pipeline import FILE_FORMATS
from hdictl.streaming.state import STARTING_OFFSETS
from hdictl.workflow.jobs.bound import BoundJob
from hdictl.workflow.jobs.checkpoints import read_checkpoints
from hdictl.workflow.jobs.status import status_of

EARLIEST, LATEST, COMMITTED = "earliest", "latest", "committed"


def plan_reset(
    driver: JobDriver, bound: BoundJob, kafka: OffsetReader, *, to: str, queries: tuple[str, ...] = ()
) -> ResetPlan:
    """`to`: earliest, latest, committed, or a moment: 2h (ago), or milliseconds since the epoch."""
    status = status_of(driver, bound.name, bound.job.pipeline)
    if status.state in (state.RUNNING, state.STARTING, state.STOPPING):
        raise JobRefused(
            f"it is {status.state}, and works on its checkpoint",
            where=f"job `{bound.name}`",
            fix=f"stop it first: hdictl jobs stop {bound.name}",
        )
    with driver.storage(bound.name) as storage:
        found = {each.query: each for each in read_checkpoints(storage)}
        for query in queries:
            if query not in found:
                raise UsageError(
                    f"there is no checkpoint of a query `{query}`{did_you_mean(query, found)}",
                    where=f"job `{bound.name}`",
                    fix=f"there are: {', '.join(found) or 'none'}",
                )
        chosen = [each for name, each in found.items() if not queries or name in queries]
        stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        # Checkpoints last: whoever is interrupted runs it again, and finds by them what has to be moved.
        moved = _file_sinks(bound, [each.query for each in chosen], storage, stamp)
        moved += [(f"{FOLDER}/{each.query}", f"{OLD}/{stamp}/{each.query}") for each in chosen]
    starts = {name: _start(bound, name, kafka, to) for name in _sources(bound)}
    skipped, again = _difference(chosen, bound, starts, kafka)
    return ResetPlan(bound.name, tuple(each.query for each in chosen), tuple(moved), starts, skipped, again)


def carry_out(driver: JobDriver, plan: ResetPlan) -> None:
    """First where to begin, then the moves: whoever is interrupted runs it again."""
    with driver.storage(plan.job) as storage:
        storage.write(STARTING_OFFSETS, json.dumps(plan.starting_offsets).encode())
        for source, to in plan.moved:
            storage.move(source, to)


def _file_sinks(bound: BoundJob, queries: list[str], storage: JobStorage, stamp: str) -> list[tuple[str, str]]:
    """Data that was written by the old checkpoint's batch numbers: a new checkpoint would skip what it finds done."""
    found = []
    flows, sinks = bound.pipeline.document.flows, bound.pipeline.document.sinks
    for query in queries:
        if query not in flows or sinks[flows[query].sink].format not in FILE_FORMATS:
            continue
        sink = flows[query].sink
        if sink in bound.spec.writes and sinks[sink].format == "parquet":
            raise JobRefused(
                f"`{sink}` writes Parquet to {bound.spec.writes[sink]}, whose _spark_metadata would skip new batches",
                where=f"job `{bound.name}`",
                fix="name another folder for it in the stack, then reset",
            )
        if storage.list(f"tables/{sink}") and sinks[sink].format == "parquet":
            found.append((f"tables/{sink}", f"tables/_old/{stamp}/{sink}"))
    return found


def _sources(bound: BoundJob) -> list[str]:
    """Those that are bound: a job need not run all flows of its pipeline."""
    reads, writes = bound.spec.reads, bound.spec.writes
    return [
        name
        for name, source in bound.pipeline.document.sources.items()
        if (source.sink in writes if source.sink else name in reads) and all(sink in writes for sink in source.feedback)
    ]


def _topics(bound: BoundJob, source: str) -> list[str]:
    described = bound.pipeline.document.sources[source]
    first = bound.spec.writes[described.sink] if described.sink else bound.spec.reads[source]
    return [first, *(bound.spec.writes[sink] for sink in described.feedback)]


def _start(bound: BoundJob, source: str, kafka: OffsetReader, to: str) -> Any:
    if to in (EARLIEST, LATEST):
        return to
    topics = _topics(bound, source)
    if to == COMMITTED:
        return _spark(_committed(bound, topics, kafka))
    return _spark(kafka.at(topics, _moment(to)))


def _committed(bound: BoundJob, topics: list[str], kafka: OffsetReader) -> Offsets:
    """Of the groups of its flows, the one that has read least; what no group knows begins at the beginning."""
    beginnings = kafka.beginnings(topics)
    groups = [kafka.committed(f"{bound.spec.group}.{flow}") for flow in bound.pipeline.document.flows]
    known = [group for group in groups if any(topic in group for topic in topics)]
    return {
        topic: {
            number: min((group[topic][number] for group in known if number in group.get(topic, {})), default=begin)
            for number, begin in partitions.items()
        }
        for topic, partitions in beginnings.items()
    }


def _moment(to: str) -> int:
    if re.fullmatch(r"\d{12,14}", to):
        return int(to)
    try:
        return round(time.time() * 1000) - milliseconds(to)
    except ValueError:
        raise UsageError(
            f"`{to}` is no place to begin",
            where="--to",
            fix="use earliest, latest, committed, 2h (ago) or milliseconds",
        ) from None


def _spark(offsets: Offsets) -> dict[str, dict[str, int]]:
    return {topic: {str(number): at for number, at in parts.items()} for topic, parts in offsets.items()}


def _difference(
    checkpoints: Sequence[Checkpoint], bound: BoundJob, starts: Mapping[str, Any], kafka: OffsetReader
) -> tuple[dict[str, int], dict[str, int]]:
    """Topic → records that will not be read, and that will be read again, by the query that this costs most."""
    skipped: dict[str, int] = {}
    again: dict[str, int] = {}
    for source, start in starts.items():
        topics = _topics(bound, source)
        at = _places(kafka, topics, start)
        for topic in topics:
            for checkpoint in checkpoints:
                was = checkpoint.offsets.get(topic, {})
                steps = [at[topic].get(number, 0) - offset for number, offset in was.items()]
                skipped[topic] = max(skipped.get(topic, 0), sum(step for step in steps if step > 0))
                again[topic] = max(again.get(topic, 0), -sum(step for step in steps if step < 0))
    return _some(skipped), _some(again)


def _places(kafka: OffsetReader, topics: list[str], start: Any) -> Offsets:
    if start == EARLIEST:
        return kafka.beginnings(topics)
    if start == LATEST:
        return kafka.ends(topics)
    return {topic: {int(number): at for number, at in parts.items()} for topic, parts in start.items()}


def _some(amounts: Mapping[str, int]) -> dict[str, int]:
    return {name: amount for name, amount in amounts.items() if amount}
