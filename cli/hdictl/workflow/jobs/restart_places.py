"""Where the queries of a job begin that have no checkpoint any more, and what that skips or repeats."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from typing import Any

from hdictl.errors import UsageError
from hdictl.ports.offsets import OffsetReader, Offsets
from hdictl.stack.units import milliseconds
from hdictl.streaming.checkpoint import Checkpoint
from hdictl.workflow.jobs.bound import BoundJob

EARLIEST, LATEST, COMMITTED = "earliest", "latest", "committed"


def queries_of(bound: BoundJob) -> list[str]:
    """Its flows, and the dead letters of its sources."""
    sources = bound.pipeline.document.sources
    letters = [f"{name}_dead_letters" for name in _sources(bound) if sources[name].dead_letters in bound.spec.writes]
    return [*(bound.spec.flows or bound.pipeline.document.flows), *letters]


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


def starting_offsets(bound: BoundJob, kafka: OffsetReader, to: str, queries: Sequence[str]) -> dict[str, Any]:
    """Source → where these queries begin with it, as Spark writes it."""
    return {name: _start(bound, name, kafka, to, queries) for name in _sources(bound)}


def _start(bound: BoundJob, source: str, kafka: OffsetReader, to: str, queries: Sequence[str]) -> Any:
    if to in (EARLIEST, LATEST):
        return to
    topics = _topics(bound, source)
    if to == COMMITTED:
        return _spark(_committed(bound, topics, kafka, queries))
    return _spark(kafka.at(topics, _moment(to)))


def _committed(bound: BoundJob, topics: list[str], kafka: OffsetReader, queries: Sequence[str]) -> Offsets:
    """Of the groups of these queries, the one that has read least; what no group knows begins at the beginning.

    Dead letters have a group too, and are the slower ones. What retention has deleted meanwhile is not asked for.
    """
    beginnings = kafka.beginnings(topics)
    groups = [kafka.committed(f"{bound.spec.group}.{query}") for query in queries]
    known = [group for group in groups if any(topic in group for topic in topics)]
    return {
        topic: {
            number: max(
                begin, min((group[topic][number] for group in known if number in group.get(topic, {})), default=begin)
            )
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


def difference(
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
