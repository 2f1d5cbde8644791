"""The document that a job is started with, as values.

Whoever submits the job has checked it; here only its shape is trusted, so that a wrong document fails at once and
not in the first micro-batch.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

VERSION = 1

T = TypeVar("T")


class SpecError(Exception):
    """The document does not describe a job."""


@dataclass(frozen=True)
class Topic:
    """Where records come from or go to. `options` are Kafka's own, without Spark's `kafka.` in front."""

    bootstrap: str
    topic: str
    options: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class EventTime:
    column: str  # a field of the record: milliseconds since the epoch
    watermark: str  # how long to wait for what is late, as Spark writes it: "10 minutes"
    max_ahead_ms: int | None = None  # how far an event may be ahead of the record that carries it


@dataclass(frozen=True)
class Source:
    kafka: Topic
    columns: str  # the fields of a record, as Spark writes columns: "id STRING, at BIGINT"
    event_time: EventTime
    required: list[str] = field(default_factory=list)
    expectations: dict[str, str] = field(default_factory=dict)  # name → a condition that every record meets
    deduplicate: list[str] = field(default_factory=list)
    starting_offsets: str = "earliest"  # of a new job; one that resumes goes on where it was
    max_offsets_per_trigger: int | None = None
    fail_on_data_loss: bool = True
    dead_letters: Topic | None = None


@dataclass(frozen=True)
class Sink:
    kafka: Topic
    key: list[str]  # the columns that identify a row: the same input gives the same key, always


@dataclass(frozen=True)
class Spec:
    name: str
    storage: str  # a folder of this job alone: checkpoints and control
    sources: dict[str, Source]
    transform: str  # one SELECT over views with the names of the sources
    sink: Sink
    trigger: str = "1 second"
    configuration: dict[str, str] = field(default_factory=dict)
    progress_file: str | None = None


def parse(text: str) -> Spec:
    try:
        document = json.loads(text)
    except ValueError as error:
        raise SpecError(f"not JSON: {error}") from None
    if not isinstance(document, dict) or document.pop("version", None) != VERSION:
        raise SpecError(f"not a job document of version {VERSION}")
    sources = document.get("sources")
    if not isinstance(sources, dict) or not sources:
        raise SpecError("sources: at least one is needed")
    document["sources"] = {name: _source(name, source) for name, source in sources.items()}
    document["sink"] = _sink(document.get("sink"))
    return _build(Spec, document, "document")


def _source(name: str, document: Any) -> Source:
    where = f"sources.{name}"
    document = dict(document)
    document["kafka"] = _build(Topic, document.get("kafka"), where + ".kafka")
    document["event_time"] = _build(EventTime, document.get("event_time"), where + ".event_time")
    if document.get("dead_letters") is not None:
        document["dead_letters"] = _build(Topic, document["dead_letters"], where + ".dead_letters")
    return _build(Source, document, where)


def _sink(document: Any) -> Sink:
    document = dict(document or {})
    document["kafka"] = _build(Topic, document.get("kafka"), "sink.kafka")
    return _build(Sink, document, "sink")


def _build(kind: type[T], document: Any, where: str) -> T:
    if not isinstance(document, dict):
        raise SpecError(f"{where}: missing")
    unknown = sorted(set(document) - {known.name for known in fields(kind)})  # type: ignore[arg-type]
    if unknown:
        raise SpecError(f"{where}: unknown {', '.join(unknown)}")
    try:
        return kind(**document)
    except TypeError as error:
        raise SpecError(f"{where}: {error}") from None
