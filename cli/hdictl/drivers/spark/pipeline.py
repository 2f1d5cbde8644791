"""A pipeline's folder: pipeline.yaml and the files that it names, read and checked.

The words are those of Spark Declarative Pipelines where it has them (flows, sinks, expectations, configuration), so
that a pipeline can move there when its cluster does.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from hdictl.errors import PipelineInvalid
from hdictl.stack.suggest import did_you_mean
from hdictl.stack.units import milliseconds

FILE = "pipeline.yaml"


def _duration(value: Any) -> Any:
    return milliseconds(value) if isinstance(value, str) else value


Milliseconds = Annotated[int, BeforeValidator(_duration)]


class Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class EventTime(Part):
    column: str
    watermark: Milliseconds
    max_ahead: Milliseconds | None = None


class Source(Part):
    format: Literal["json"]
    record_schema: str = Field(alias="schema")
    event_time: EventTime
    deduplicate: list[str] = []
    expectations: dict[str, str] = {}
    dead_letters: str | None = None
    max_offsets_per_trigger: int | None = None


class Flow(Part):
    transform: str
    sink: str


class Sink(Part):
    key: list[str] = []


class Document(Part):
    """pipeline.yaml as it is written."""

    name: str
    description: str = ""
    sources: dict[str, Source] = Field(min_length=1)
    flows: dict[str, Flow] = Field(min_length=1, max_length=1)
    sinks: dict[str, Sink]
    trigger: Milliseconds = 10_000
    configuration: dict[str, str] = {}


class Pipeline(Part):
    """The document, and what the files that it names say."""

    folder: Path
    document: Document
    transform: str
    schemas: dict[str, dict[str, Any]]  # source → JSON Schema of its records

    @property
    def flow(self) -> Flow:
        return next(iter(self.document.flows.values()))


def load(folder: Path) -> Pipeline:
    path = folder / FILE
    try:
        document = Document.model_validate(yaml.safe_load(_text(folder, FILE)))
    except yaml.YAMLError as error:
        raise _invalid(path, f"not YAML: {error}") from None
    except ValidationError as error:
        raise _invalid(path, _said(error)) from None
    _require_sinks(path, document)
    flow = next(iter(document.flows.values()))
    schemas = {name: _schema(folder, source.record_schema) for name, source in document.sources.items()}
    return Pipeline(folder=folder, document=document, transform=_text(folder, flow.transform), schemas=schemas)


def _require_sinks(path: Path, document: Document) -> None:
    flow = next(iter(document.flows.values()))
    named = [flow.sink, *(source.dead_letters for source in document.sources.values() if source.dead_letters)]
    for sink in named:
        require_known(path, "sink", sink, document.sinks)
    if not document.sinks[flow.sink].key:
        raise _invalid(path, f"sinks.{flow.sink}: `key` is missing: without it a row written twice is not recognised")


def require_known(where: Path, kind: str, name: str, known: Mapping[str, object] | Iterable[str]) -> None:
    if name not in known:
        raise _invalid(where, f"there is no {kind} `{name}`{did_you_mean(name, known)}")


def _schema(folder: Path, name: str) -> dict[str, Any]:
    try:
        schema = json.loads(_text(folder, name))
    except ValueError as error:
        raise _invalid(folder / name, f"not JSON: {error}") from None
    if not isinstance(schema, dict) or not isinstance(schema.get("properties"), dict):
        raise _invalid(folder / name, "not a JSON Schema of an object with `properties`")
    return schema


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
