"""The document that a job is started with, as values.

Whoever submits the job has checked it; here only its shape is trusted, so that a wrong document fails at once and
not in the first micro-batch.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from typing import Any, Callable, TypeVar

from streamkit.errors import SpecError

VERSION = 2

T = TypeVar("T")


@dataclass(frozen=True)
class Topic:
    """Where records come from or go to. `options` are Kafka's own, without Spark's `kafka.` in front."""

    bootstrap: str
    topic: str  # a source may have several, with commas between
    options: dict[str, str] = field(default_factory=dict)

    @property
    def topics(self) -> list[str]:
        return self.topic.split(",")


@dataclass(frozen=True)
class EventTime:
    column: str  # a field of the record
    watermark: str  # how long to wait for what is late, as Spark writes it: "10 minutes"
    format: str | None = None  # of a text; None: the field has milliseconds since the epoch
    max_ahead_ms: int | None = None  # how far an event may be ahead of the record that carries it
    max_behind_ms: int | None = None  # and how far behind it


@dataclass(frozen=True)
class Writers:
    """Avro schemas of those who write, by the id in the five bytes before each record."""

    schemas: dict[str, str]


@dataclass(frozen=True)
class Source:
    kafka: Topic
    columns: dict[str, str]  # the fields of a record, and their types as Spark writes them: {"at": "BIGINT"}
    format: str = "json"  # json, avro or text
    schema: str | None = None  # avro: the schema that records are read by
    writers: Writers | None = None  # avro with five bytes in front
    pattern: str | None = None  # text: a regular expression whose groups are the columns, in their order
    nothing: str | None = None  # text: what stands for no value, such as "-"
    event_time: EventTime | None = None
    required: list[str] = field(default_factory=list)
    expectations: dict[str, str] = field(default_factory=dict)  # name → a condition that every record meets
    deduplicate: list[str] = field(default_factory=list)
    starting_offsets: str = "earliest"  # of a new query; one that resumes goes on where it was
    max_offsets_per_trigger: int | None = None
    min_partitions: int | None = None
    fail_on_data_loss: bool = True
    dead_letters: Topic | None = None


@dataclass(frozen=True)
class Table:
    """A table that stands still: read when the job starts."""

    path: str
    format: str = "csv"
    columns: dict[str, str] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Flow:
    sink: str
    sql: str | None = None  # one SELECT over views with the names of the sources and tables
    python: str | None = None  # a module with `transform(inputs, parameters)`
    file: str = "transform"  # for messages


@dataclass(frozen=True)
class Sink:
    format: str = "kafka"  # kafka, parquet, delta or console
    kafka: Topic | None = None
    path: str | None = None
    key: list[str] = field(default_factory=list)  # what identifies a row: the same input gives the same key, always
    partition_by: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Spec:
    pipeline: str
    job: str
    storage: str  # a folder of this job alone: checkpoints, control, progress
    sources: dict[str, Source]
    flows: dict[str, Flow]  # each is a query
    sinks: dict[str, Sink]
    tables: dict[str, Table] = field(default_factory=dict)
    parameters: dict[str, Any] = field(default_factory=dict)
    trigger: str = "1 second"  # or "available now": what is there, and then the end
    dead_letters_trigger: str | None = None  # that of the queries of dead letters; None: the same
    dead_letters_pace: int = 1  # so many triggers of a flow are one of theirs: they take as much more at once
    group: str | None = None  # consumer groups begin with it; None: offsets are not committed
    fingerprint: str = ""
    configuration: dict[str, str] = field(default_factory=dict)
    progress_file: str | None = None


def to_ddl(columns: dict[str, str]) -> str:
    return ", ".join(f"`{name}` {kind}" for name, kind in columns.items())


def parse(text: str) -> Spec:
    try:
        document = json.loads(text)
    except ValueError as error:
        raise SpecError(f"not JSON: {error}") from None
    if not isinstance(document, dict) or document.pop("version", None) != VERSION:
        raise SpecError(f"not a job document of version {VERSION}")
    for name, build in _PARTS.items():
        if name in document:
            document[name] = _each(name, document[name], build)
    for name in ("sources", "flows", "sinks"):
        if not document.get(name):
            raise SpecError(f"{name}: at least one is needed")
    spec = _build(Spec, document, "document")
    _require_sinks(spec)
    return spec


def _require_sinks(spec: Spec) -> None:
    for name, flow in spec.flows.items():
        if flow.sink not in spec.sinks:
            raise SpecError(f"flows.{name}: there is no sink {flow.sink}")
        if (flow.sql is None) == (flow.python is None):
            raise SpecError(f"flows.{name}: either sql or python")


def _each(part: str, document: Any, build: Callable[[Any, str], Any]) -> dict[str, Any]:
    if not isinstance(document, dict):
        raise SpecError(f"{part}: not a map")
    return {name: build(value, f"{part}.{name}") for name, value in document.items()}


def _source(document: Any, where: str) -> Source:
    document = _map(document, where)
    document["kafka"] = _build(Topic, document.get("kafka"), where + ".kafka")
    inner: dict[str, type[Any]] = {"event_time": EventTime, "writers": Writers, "dead_letters": Topic}
    for name, kind in inner.items():
        if document.get(name) is not None:
            document[name] = _build(kind, document[name], f"{where}.{name}")
    return _build(Source, document, where)


def _sink(document: Any, where: str) -> Sink:
    document = _map(document, where)
    if document.get("kafka") is not None:
        document["kafka"] = _build(Topic, document["kafka"], where + ".kafka")
    sink = _build(Sink, document, where)
    if (sink.format == "kafka") != (sink.kafka is not None):
        raise SpecError(f"{where}.kafka: a topic for the format kafka, and for no other")
    return sink


def _map(document: Any, where: str) -> dict[str, Any]:
    if not isinstance(document, dict):
        raise SpecError(f"{where}: missing")
    return dict(document)


def _build(kind: type[T], document: Any, where: str) -> T:
    document = _map(document, where)
    unknown = sorted(set(document) - {known.name for known in fields(kind)})  # type: ignore[arg-type]
    if unknown:
        raise SpecError(f"{where}: unknown {', '.join(unknown)}")
    try:
        return kind(**document)
    except TypeError as error:
        raise SpecError(f"{where}: {error}") from None


_PARTS: dict[str, Callable[[Any, str], Any]] = {
    "sources": _source,
    "sinks": _sink,
    "flows": lambda document, where: _build(Flow, document, where),
    "tables": lambda document, where: _build(Table, document, where),
}
