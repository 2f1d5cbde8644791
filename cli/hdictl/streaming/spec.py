"""A pipeline bound to topics, as the JSON document that the job on Spark gets (jobs/streamkit/spec.py reads it).

Pure: nothing here touches the world. The job knows neither YAML nor the stack.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hdictl.errors import PipelineInvalid
from hdictl.streaming.job import JobSpec
from hdictl.streaming.pipeline import FILE_FORMATS, Pipeline, Source, require_known
from hdictl.streaming.record_schema import RecordSchema

VERSION = 2
AVAILABLE_NOW = "available now"
# A micro-batch costs as much for one dead letter as for a thousand, and nobody waits for them by the second.
_DEAD_LETTERS_TRIGGER_MS = 5_000
_OF_ONE_RUN = ("fingerprint", "progress_file")


@dataclass(frozen=True)
class Surroundings:
    """Where Spark finds what a job needs beside its topics."""

    storage: str  # the job's folder
    tables: str | None = None  # the files of the pipeline's folder; None: they are read in that folder
    progress_file: str | None = None
    reader_options: Mapping[str, str] = field(default_factory=dict)  # Kafka's, for all its consumers


def to_document(pipeline: Pipeline, job: JobSpec, place: Surroundings) -> dict[str, Any]:
    document, bound = pipeline.document, _Bound(pipeline, job, place.storage)
    trigger = document.trigger if job.trigger_ms is None else job.trigger_ms
    made = {
        "version": VERSION,
        "pipeline": document.name,
        "job": job.name,
        "storage": place.storage,
        "sources": {name: _source(bound, name, place.reader_options) for name in bound.sources},
        "tables": {name: _table(bound, name, place.tables) for name in bound.tables},
        "flows": {name: _flow(bound, name) for name in bound.flows},
        "sinks": {name: bound.sink(name) for name in bound.flow_sinks},
        "parameters": _parameters(pipeline, job),
        "trigger": AVAILABLE_NOW if job.is_available_now else _interval(trigger),
        **_dead_letters(trigger, is_available_now=job.is_available_now),
        "group": job.group,
        "configuration": {**document.configuration, **job.configuration},
        "progress_file": place.progress_file,
    }
    return {**made, "fingerprint": fingerprint(made)}


def _dead_letters(trigger: int, *, is_available_now: bool) -> dict[str, Any]:
    """When their queries run, and how many triggers of a flow that is: a limit of records holds for each of them."""
    if is_available_now:
        return {"dead_letters_trigger": None, "dead_letters_pace": 1}
    slower = max(trigger, _DEAD_LETTERS_TRIGGER_MS)
    return {"dead_letters_trigger": _interval(slower), "dead_letters_pace": math.ceil(slower / max(trigger, 1))}


def fingerprint(document: Mapping[str, Any]) -> str:
    """The same for the same job, whoever writes it down and wherever it runs.

    Addresses of brokers do not count: each new broker would restart every job of its cluster.
    """
    lasting = {name: value for name, value in document.items() if name not in _OF_ONE_RUN}
    lasting.update({part: _without_addresses(lasting[part]) for part in ("sources", "sinks")})
    return hashlib.sha256(json.dumps(lasting, sort_keys=True).encode()).hexdigest()[:16]


def _without_addresses(part: Any) -> Any:
    if not isinstance(part, Mapping):
        return part
    return {name: _without_addresses(value) for name, value in part.items() if name != "bootstrap"}


class _Bound:
    """The parts of a pipeline that a job uses, and the topics it has named for them."""

    def __init__(self, pipeline: Pipeline, job: JobSpec, storage: str) -> None:
        document = pipeline.document
        self.pipeline, self.job, self._storage = pipeline, job, storage
        for flow in job.flows:
            require_known(pipeline.file, "flow", flow, document.flows)
        self.flows = [name for name in document.flows if not job.flows or name in job.flows]
        self.sources = self._used(document.sources)
        self.tables = self._used(document.tables)
        self.flow_sinks = list(dict.fromkeys(document.flows[name].sink for name in self.flows))
        self._require_topics()

    def _used(self, names: Iterable[str]) -> list[str]:
        used = {name for flow in self.flows for name in self.pipeline.inputs_of(flow, names)}
        return [name for name in names if name in used]

    def _require_topics(self) -> None:
        where, document, job = self.pipeline.file, self.pipeline.document, self.job
        own = [name for name, source in document.sources.items() if source.sink is None]
        for kind, known, bound in (
            ("source", own, job.reads),
            ("sink", list(document.sinks), job.writes),
            ("source", list(document.sources), job.starting_offsets),
        ):
            for name in bound:
                require_known(where, kind, name, known)
        needed = [name for name in self.sources if name in own]
        for name in needed:
            if name not in job.reads:
                raise _unbound(where, "source", name, "reads")
        used = [document.sources[name] for name in self.sources]
        fed = [sink for source in used for sink in (source.sink, source.dead_letters, *source.feedback) if sink]
        for name in dict.fromkeys([*self.flow_sinks, *fed]):
            if document.sinks[name].format == "kafka" and name not in job.writes:
                raise _unbound(where, "sink", name, "writes")

    def topic(self, topic: str) -> dict[str, Any]:
        return {"bootstrap": self.job.bootstrap, "topic": topic}

    def topics_of(self, name: str) -> str:
        source = self.pipeline.document.sources[name]
        first = self.job.writes[source.sink] if source.sink else self.job.reads[name]
        return ",".join([first, *(self.job.writes[sink] for sink in source.feedback)])

    def sink(self, name: str) -> dict[str, Any]:
        sink = self.pipeline.document.sinks[name]
        made: dict[str, Any] = {"format": sink.format, "key": sink.key, "partition_by": sink.partition_by}
        if sink.format == "kafka":
            return {**made, "kafka": self.topic(self.job.writes[name])}
        if sink.format in FILE_FORMATS:
            return {**made, "path": self.job.writes.get(name) or f"{self._storage.rstrip('/')}/tables/{name}"}
        return made


def _source(bound: _Bound, name: str, reader_options: Mapping[str, str]) -> dict[str, Any]:
    pipeline, job = bound.pipeline, bound.job
    source, schema = pipeline.document.sources[name], pipeline.schemas[name]
    _require_columns(source, schema)
    event_time = source.event_time
    made: dict[str, Any] = {
        "kafka": {**bound.topic(bound.topics_of(name)), "options": dict(reader_options)},
        "format": source.format,
        "columns": _columns(source, schema, pipeline),
        "required": list(schema.required),
        "expectations": source.expectations,
        "deduplicate": source.deduplicate,
        "starting_offsets": job.starting_offsets.get(name, source.starting_offsets),
        "max_offsets_per_trigger": job.max_offsets_per_trigger or source.max_offsets_per_trigger,
        "min_partitions": source.min_partitions,
        "fail_on_data_loss": source.fail_on_data_loss,
        "dead_letters": bound.topic(job.writes[source.dead_letters]) if source.dead_letters else None,
    }
    if source.format == "avro":
        made["schema"] = schema.text
        writers = {str(number): text for number, text in pipeline.writers[name].items()}
        made["writers"] = {"schemas": writers} if writers else None
    if source.format == "text":
        made |= {"pattern": to_java_pattern(source.pattern or ""), "nothing": source.nothing}
    if event_time is not None:
        made["event_time"] = {
            "column": event_time.column,
            "watermark": _interval(event_time.watermark),
            "format": event_time.format,
            "max_ahead_ms": event_time.max_ahead,
            "max_behind_ms": event_time.max_behind,
        }
    return made


def _columns(source: Source, schema: RecordSchema, pipeline: Pipeline) -> dict[str, str]:
    if source.pattern is None:
        return dict(schema.columns)
    try:
        compiled = re.compile(source.pattern)
    except re.error as error:
        raise _invalid(pipeline.file, f"pattern: {error}", "see the regular expression") from None
    groups = sorted(compiled.groupindex, key=lambda name: compiled.groupindex[name])
    if compiled.groups != len(groups):
        what = "pattern: a group has no name, and every one gives a field"
        raise _invalid(pipeline.file, what, "write (?P<name>…), or (?:…) for one that gives none")
    for group in groups:
        require_known(schema.file, "property", group, schema.columns)
    missing = [name for name in schema.required if name not in groups]
    if missing:
        raise _invalid(pipeline.file, f"pattern: no group gives `{missing[0]}`, which is required", "add (?P<…>)")
    return {group: schema.columns[group] for group in groups}


def to_java_pattern(pattern: str) -> str:
    """Python's `(?P<name>` is Java's `(?<name>`, whose names have no underscores; only their order counts there."""
    return re.sub(r"\(\?P<\w+>", "(", pattern)


def _require_columns(source: Source, schema: RecordSchema) -> None:
    event_time = source.event_time
    if source.deduplicate and event_time is None:
        what = "`deduplicate` needs an `event_time` with a watermark, or ids would be remembered for ever"
        raise _invalid(schema.file, what, "add event_time to the source")
    for column in [*([event_time.column] if event_time else []), *source.deduplicate]:
        require_known(schema.file, "property", column, schema.columns)
        if column not in schema.required:
            raise _invalid(
                schema.file,
                f"`{column}` is used as event time or to find repeated events, and is not required",
                f"add it to `required`: a record without `{column}` is then a dead letter",
            )
    if event_time is not None:
        wanted = "BIGINT" if event_time.format is None else "STRING"
        kind = schema.columns[event_time.column]
        if kind != wanted:
            needs = "a whole number of milliseconds" if event_time.format is None else "text, for it has a `format`"
            what = f"`{event_time.column}` is the event time and of the type {kind}; it must be {needs}"
            raise _invalid(schema.file, what, "change its type, or the `event_time` of the source")


def _table(bound: _Bound, name: str, tables: str | None) -> dict[str, Any]:
    table, schema = bound.pipeline.document.tables[name], bound.pipeline.table_schemas.get(name)
    path = table.path
    if "://" not in path and not path.startswith("/"):
        file = bound.pipeline.folder / path
        if not file.exists():
            raise _invalid(bound.pipeline.file, f"tables.{name}: there is no {path}", "mend the path")
        path = f"{tables.rstrip('/')}/{path}" if tables is not None else file.resolve().as_uri()
    options = {"header": "true", **table.options} if table.format == "csv" else table.options
    columns = dict(schema.columns) if schema else {}
    return {"path": path, "format": table.format, "columns": columns, "options": options}


def _flow(bound: _Bound, name: str) -> dict[str, Any]:
    flow, text = bound.pipeline.document.flows[name], bound.pipeline.transforms[name]
    kind = "python" if flow.transform.endswith(".py") else "sql"
    return {"sink": flow.sink, kind: text, "file": f"{bound.pipeline.document.name}/{flow.transform}"}


def _parameters(pipeline: Pipeline, job: JobSpec) -> dict[str, Any]:
    for name in job.parameters:
        require_known(pipeline.file, "parameter", name, pipeline.document.parameters)
    return {**pipeline.document.parameters, **job.parameters}


def _unbound(where: Path, kind: str, name: str, key: str) -> PipelineInvalid:
    fix = f"name it in the job: `{key}: {{{name}: TOPIC}}`"
    return _invalid(where, f"no topic is named for the {kind} `{name}`", fix)


def _invalid(where: Path, what: str, fix: str) -> PipelineInvalid:
    return PipelineInvalid(what, where=str(where), fix=fix)


def _interval(ms: int) -> str:
    return f"{ms} milliseconds"
