"""An independent count: plain Python over the records that are in Kafka. It knows neither Spark nor the maker.

A record is late when its event time is not after the watermark as it is when the record arrives: the newest event
time so far, less the delay. Spark moves its watermark only between micro-batches, so it may be more patient than
this; the demonstration's events are made so that both come to the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hdictl.ports.kafka import Record
from hdictl.workflow.demo.truth import Place, Truth

_LAST_MILLISECOND = 253_402_300_799_999  # of the year 9999
_HOUR = 3_600_000

Address = tuple[int, int]  # partition, offset


@dataclass
class Recount:
    truth: Truth
    dead: set[Address] = field(default_factory=set)


def recount(records: Iterable[Record], *, delay: int, max_ahead: int = _HOUR) -> Recount:
    found = Recount(Truth())
    truth = found.truth
    newest: int | None = None
    seen: set[tuple[str, int]] = set()
    # Kafka orders the records of one partition; across partitions their timestamps do.
    for record in sorted(records, key=lambda each: (each.timestamp, each.partition, each.offset)):
        truth.produced += 1
        if record.value is None:
            truth.tombstones += 1
            continue
        event = _event(record, max_ahead)
        if event is None:
            truth.dead += 1
            found.dead.add((record.partition, record.offset))
            continue
        at: int = event["event_time"]
        identity = (str(event["event_id"]), at)
        if newest is not None and at <= newest - delay:
            truth.late += 1
        elif identity in seen:
            truth.duplicates += 1
        else:
            seen.add(identity)
            if event["event_type"] == "heartbeat":
                truth.heartbeats += 1
            else:
                truth.add_views([event])
        newest = at if newest is None else max(newest, at)
    return found


def _event(record: Record, max_ahead: int) -> dict[str, Any] | None:
    """The event that a record carries; None when it carries none that can be used."""
    try:
        event = json.loads((record.value or b"").decode("utf-8", errors="replace"))
    except ValueError:
        return None
    if not isinstance(event, dict) or any(event.get(name) is None for name in ("event_id", "event_type", "event_time")):
        return None
    at = event["event_time"]
    if (
        not isinstance(at, int)
        or isinstance(at, bool)
        or not 0 <= at <= min(_LAST_MILLISECOND, record.timestamp + max_ahead)
    ):
        return None
    if event["event_type"] == "heartbeat":
        return event
    is_view = event["event_type"] == "page_view" and event.get("page") is not None and event.get("user_id") is not None
    return event if is_view else None


@dataclass(frozen=True)
class Output:
    """What the job has written. A copy is a record that is there twice: allowed after a crash, and recognisable."""

    windows: Mapping[Place, tuple[int, int]]
    window_copies: int
    dead: frozenset[Address]
    dead_copies: int
    contradictions: tuple[str, ...]  # ids that came twice with different content


def read_output(activity: Iterable[Record], dead_letters: Iterable[Record]) -> Output:
    values: dict[str, bytes | None] = {}
    contradictions = []
    copies = 0
    for record in activity:
        identity = header(record, "event_id")
        if identity in values:
            copies += 1
            if values[identity] != record.value:
                contradictions.append(identity)
        values[identity] = record.value
    addresses = [(int(header(record, "partition")), int(header(record, "offset"))) for record in dead_letters]
    return Output(
        windows=dict(_window(value) for value in values.values() if value is not None),
        window_copies=copies,
        dead=frozenset(addresses),
        dead_copies=len(addresses) - len(set(addresses)),
        contradictions=tuple(contradictions),
    )


def header(record: Record, name: str) -> str:
    return next((value.decode() for key, value in record.headers if key == name and value is not None), "")


def _window(value: bytes) -> tuple[Place, tuple[int, int]]:
    row = json.loads(value)
    return (row["page"], row["window_start"]), (row["views"], row["visitors"])
