"""A pipeline bound to topics, as the JSON document that the job on Spark gets (jobs/streamkit/spec.py reads it).

Pure: nothing here touches the world. The job knows neither YAML nor the stack.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hdictl.drivers.spark.pipeline import FILE, Pipeline, Source, require_known
from hdictl.errors import PipelineInvalid
from hdictl.ports.jobs import JobSpec

VERSION = 1
_TYPES = {"string": "STRING", "integer": "BIGINT", "number": "DOUBLE", "boolean": "BOOLEAN"}


def to_document(
    pipeline: Pipeline,
    job: JobSpec,
    *,
    storage: str,
    progress_file: str | None,
    reader_options: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    document = pipeline.document
    where = pipeline.folder / FILE
    _require_bound(where, "source", document.sources, job.reads)
    _require_bound(where, "sink", document.sinks, job.writes)
    sink = pipeline.flow.sink
    return {
        "version": VERSION,
        "name": document.name,
        "storage": storage,
        "sources": {
            name: _source(pipeline, name, source, job, reader_options or {})
            for name, source in document.sources.items()
        },
        "transform": pipeline.transform,
        "sink": {"kafka": _topic(job, job.writes[sink]), "key": document.sinks[sink].key},
        "trigger": _interval(document.trigger if job.trigger_ms is None else job.trigger_ms),
        "configuration": {**document.configuration, **job.configuration},
        "progress_file": progress_file,
    }


def _source(
    pipeline: Pipeline, name: str, source: Source, job: JobSpec, reader_options: Mapping[str, str]
) -> dict[str, Any]:
    schema = pipeline.schemas[name]
    where = pipeline.folder / source.record_schema
    required = list(schema.get("required", []))
    for column in [source.event_time.column, *source.deduplicate]:
        require_known(where, "property", column, schema["properties"])
        if column not in required:
            raise PipelineInvalid(
                f"`{column}` is used as event time or to find repeated events, and is not required",
                where=str(where),
                fix=f"add it to `required`: a record without `{column}` is then a dead letter",
            )
    return {
        "kafka": {**_topic(job, job.reads[name]), "options": dict(reader_options)},
        "columns": to_columns(schema, where),
        "event_time": {
            "column": source.event_time.column,
            "watermark": _interval(source.event_time.watermark),
            "max_ahead_ms": source.event_time.max_ahead,
        },
        "required": required,
        "expectations": source.expectations,
        "deduplicate": source.deduplicate,
        "max_offsets_per_trigger": job.max_offsets_per_trigger or source.max_offsets_per_trigger,
        "dead_letters": _topic(job, job.writes[source.dead_letters]) if source.dead_letters else None,
    }


def to_columns(schema: Mapping[str, Any], where: Path) -> str:
    """The properties of a JSON Schema as Spark writes columns: `id STRING, at BIGINT`."""
    return ", ".join(f"`{name}` {_type(name, prop, where)}" for name, prop in schema["properties"].items())


def _type(name: str, prop: Mapping[str, Any], where: Path) -> str:
    kind = prop.get("type")
    if kind == "array":
        return f"ARRAY<{_type(name, prop.get('items', {}), where)}>"
    if kind == "object":
        fields = prop.get("properties", {}).items()
        return "STRUCT<" + ", ".join(f"`{inner}`: {_type(inner, value, where)}" for inner, value in fields) + ">"
    if kind not in _TYPES:
        raise PipelineInvalid(
            f"`{name}` has the type `{kind}`, which has no column type",
            where=str(where),
            fix=f"use one of {', '.join([*_TYPES, 'array', 'object'])}",
        )
    return _TYPES[kind]


def _require_bound(where: Path, kind: str, known: Mapping[str, object], bound: Mapping[str, str]) -> None:
    for name in bound:
        require_known(where, kind, name, known)
    missing = [name for name in known if name not in bound]
    if missing:
        raise PipelineInvalid(
            f"no topic is named for the {kind} `{missing[0]}`",
            where=str(where),
            fix=f"name it in the job: `{'reads' if kind == 'source' else 'writes'}: {{{missing[0]}: TOPIC}}`",
        )


def _topic(job: JobSpec, topic: str) -> dict[str, Any]:
    return {"bootstrap": job.bootstrap, "topic": topic}


def _interval(ms: int) -> str:
    return f"{ms} milliseconds"
