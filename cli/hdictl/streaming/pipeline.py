"""A pipeline's folder: pipeline.yaml and the files that it names, read and checked.

The words are those of Spark Declarative Pipelines where it has them (flows, sinks, expectations, configuration), so
that a pipeline can move there when its cluster does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PositiveInt, ValidationError

from hdictl.errors import PipelineInvalid, UsageError
from hdictl.stack.suggest import did_you_mean
from hdictl.stack.units import milliseconds
from hdictl.streaming.record_schema import RecordSchema, read_record_schema

FILE = "pipeline.yaml"
FILE_FORMATS = ("parquet", "delta")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
# Comments, and the texts in which nothing is one.
_TEXTS = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_SQL_COMMENT = re.compile(rf"({_TEXTS})|--[^\n]*|/\*.*?\*/", re.DOTALL)
_PYTHON_COMMENT = re.compile(rf"({_TEXTS})|#[^\n]*", re.DOTALL)


def _duration(value: Any) -> Any:
    return milliseconds(value) if isinstance(value, str) else value


Milliseconds = Annotated[int, BeforeValidator(_duration)]
Scalar = bool | int | float | str


class Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class EventTime(Part):
    column: str
    watermark: Milliseconds
    format: str | None = None  # of a text, as Spark writes patterns; none: milliseconds since the epoch
    max_ahead: Milliseconds | None = None
    max_behind: Milliseconds | None = None


class Source(Part):
    format: Literal["json", "avro", "text"]
    record_schema: str = Field(alias="schema")
    writers: dict[int, str] = {}  # avro with a registry's five bytes in front: id → schema it was written by
    pattern: str | None = None  # text: its named groups are the fields
    nothing: str | None = None  # text: what stands for no value
    event_time: EventTime | None = None
    deduplicate: list[str] = []
    expectations: dict[str, str] = {}
    dead_letters: str | None = None
    sink: str | None = None  # reads what this sink of the same pipeline writes
    feedback: list[str] = []  # these sinks' records come back into this source
    starting_offsets: Literal["earliest", "latest"] = "earliest"
    max_offsets_per_trigger: PositiveInt | None = None
    min_partitions: PositiveInt | None = None
    fail_on_data_loss: bool = True


class Table(Part):
    path: str  # in the pipeline's folder, or an address that the cluster can read
    format: Literal["csv", "json", "parquet", "delta"] = "csv"
    record_schema: str | None = Field(default=None, alias="schema")
    options: dict[str, str] = {}


class Flow(Part):
    transform: str
    sink: str


class Sink(Part):
    format: Literal["kafka", "parquet", "delta", "console"] = "kafka"
    key: list[str] = []
    partition_by: list[str] = []


class Document(Part):
    """pipeline.yaml as it is written."""

    name: str
    description: str = ""
    parameters: dict[str, Scalar] = {}
    sources: dict[str, Source] = Field(min_length=1)
    tables: dict[str, Table] = {}
    flows: dict[str, Flow] = Field(min_length=1)
    sinks: dict[str, Sink]
    trigger: Milliseconds = 10_000
    configuration: dict[str, str] = {}


class Pipeline(Part):
    """The document, and what the files that it names say."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    folder: Path
    document: Document
    transforms: dict[str, str]  # flow → its text
    schemas: dict[str, RecordSchema]  # source → schema of its records
    writers: dict[str, dict[int, str]]  # source → id → text of a writer's schema
    table_schemas: dict[str, RecordSchema]

    @property
    def file(self) -> Path:
        return self.folder / FILE

    def inputs_of(self, flow: str, names: Iterable[str]) -> set[str]:
        """Those of these sources or tables that a flow's transform speaks of."""
        is_python = self.document.flows[flow].transform.endswith(".py")
        comment = _PYTHON_COMMENT if is_python else _SQL_COMMENT
        text = comment.sub(lambda found: found.group(1) or " ", self.transforms[flow])
        return {name for name in names if re.search(rf"\b{re.escape(name)}\b", text)}

    def table_files(self) -> list[str]:
        """Files of the tables that lie in this folder, which the cluster cannot read here; a table may be many."""
        places = [self.folder / table.path for table in self.document.tables.values() if "://" not in table.path]
        files = [file for place in places for file in ([place] if place.is_file() else place.rglob("*"))]
        own = {file.relative_to(self.folder).as_posix() for file in files if file.is_relative_to(self.folder)}
        return sorted(name for name in own if (self.folder / name).is_file())


def require_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"`{name}` cannot be a pipeline's name", where="pipeline", fix="use letters, digits and _, a letter first"
        )


def load(folder: Path) -> Pipeline:
    path = folder / FILE
    try:
        document = Document.model_validate(yaml.safe_load(_text(folder, FILE)))
    except yaml.YAMLError as error:
        raise _invalid(path, f"not YAML: {error}") from None
    except ValidationError as error:
        raise _invalid(path, _said(error)) from None
    _require_names(path, document)
    _require_sinks(path, document)
    for name, source in document.sources.items():
        _require_format(path, name, source)
    return Pipeline(
        folder=folder,
        document=document,
        transforms={name: _text(folder, flow.transform) for name, flow in document.flows.items()},
        schemas={name: _schema(folder, source.record_schema) for name, source in document.sources.items()},
        writers={
            name: {number: _schema(folder, file).text for number, file in source.writers.items()}
            for name, source in document.sources.items()
        },
        table_schemas={
            name: _schema(folder, table.record_schema)
            for name, table in document.tables.items()
            if table.record_schema is not None
        },
    )


def _require_names(path: Path, document: Document) -> None:
    """They become names of views and queries."""
    for part, names in (("sources", document.sources), ("tables", document.tables), ("flows", document.flows)):
        for name in names:
            if not _NAME.fullmatch(name):
                raise _invalid(path, f"{part}: `{name}` cannot be a name: letters, digits and _, a letter first")


def _require_sinks(path: Path, document: Document) -> None:
    for named in _named_sinks(document):
        require_known(path, "sink", named, document.sinks)
    for flow in document.flows.values():
        sink = document.sinks[flow.sink]
        if sink.format == "kafka" and not sink.key:
            what = f"sinks.{flow.sink}: `key` is missing: without it a row written twice is not recognised"
            raise _invalid(path, what)
    written = [flow.sink for flow in document.flows.values()]
    for name, sink in document.sinks.items():
        if sink.format == "parquet" and written.count(name) > 1:
            what = f"sinks.{name}: two flows write to it, and each would skip batches that the other has written"
            raise _invalid(path, what)
    for name, source in document.sources.items():
        for sink_name in (*([source.sink] if source.sink else []), *source.feedback):
            if document.sinks[sink_name].format != "kafka":
                raise _invalid(path, f"sources.{name}: the sink `{sink_name}` is not a topic, and cannot be read")
    taken = set(document.sources) & set(document.tables)
    if taken:
        raise _invalid(path, f"`{min(taken)}` is a source and a table: one name, one view")


def _named_sinks(document: Document) -> Iterator[str]:
    for flow in document.flows.values():
        yield flow.sink
    for source in document.sources.values():
        yield from source.feedback
        yield from (name for name in (source.sink, source.dead_letters) if name is not None)


def _require_format(path: Path, name: str, source: Source) -> None:
    suffix = ".avsc" if source.format == "avro" else ".json"
    if Path(source.record_schema).suffix != suffix:
        raise _invalid(path, f"sources.{name}: a source of the format {source.format} has a schema in a {suffix} file")
    if source.writers and source.format != "avro":
        raise _invalid(path, f"sources.{name}.writers: only Avro records say by which schema they were written")
    if (source.pattern is not None) != (source.format == "text"):
        raise _invalid(path, f"sources.{name}.pattern: for the format text, and for no other")


def require_known(where: Path, kind: str, name: str, known: Mapping[str, object] | Iterable[str]) -> None:
    if name not in known:
        raise _invalid(where, f"there is no {kind} `{name}`{did_you_mean(name, known)}")


def _schema(folder: Path, name: str) -> RecordSchema:
    return read_record_schema(folder / name, _text(folder, name))


def _text(folder: Path, name: str) -> str:
    try:
        return (folder / name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise _invalid(folder / name, f"cannot be read: {reason}") from None


def _said(error: ValidationError) -> str:
    lines = [
        f"{'.'.join(str(part) for part in found['loc']) or 'document'}: {found['msg']}" for found in error.errors()
    ]
    return "; ".join(lines)


def _invalid(where: Path, what: str) -> PipelineInvalid:
    return PipelineInvalid(what, where=str(where), fix="see docs/pipelines.md for what a pipeline's folder holds")
