"""Records to try a pipeline with, and what must come of them.

    fixtures/input.jsonl              one record a line, with the micro-batch it belongs to
    fixtures/expected/FLOW.jsonl      the rows that a flow puts out, in any order
    fixtures/expected/dead_letters.jsonl
    fixtures/expected/counts.json     amounts of each flow, as far as it names them

A record:  {"batch": 1, "source": "clicks", "value": …, "key": "k", "timestamp": 1767225600000}

`value` is an object (written as the source's format says), a text (taken as it is) or null (a tombstone); `base64` in
its place gives bytes. `source` may be left out where there is one, `timestamp` where it does not matter.
"""

from __future__ import annotations

import base64
import binascii
import json
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from hdictl.errors import PipelineInvalid
from hdictl.streaming.pipeline import Pipeline, require_known

FOLDER = "fixtures"
DEAD_LETTERS = "dead_letters"
_SENT_AT = 1_767_312_000_000  # 2026-01-02: a day after the events of the shipped fixtures
_FIX = "see docs/pipelines.md for what fixtures look like"

Message = tuple[bytes | None, bytes | None, int]  # key, value, timestamp
Batch = dict[str, list[Message]]  # source → its records


@dataclass(frozen=True)
class Expected:
    rows: Mapping[str, list[dict[str, Any]]]  # flow → rows
    letters: list[dict[str, Any]] | None
    counts: Mapping[str, Mapping[str, int]]  # flow → amount → number


@dataclass(frozen=True)
class Fixtures:
    batches: tuple[Batch, ...]
    expected: Expected

    @property
    def records(self) -> int:
        return sum(len(messages) for batch in self.batches for messages in batch.values())


def read_fixtures(pipeline: Pipeline) -> Fixtures:
    folder = pipeline.folder / FOLDER
    batches: dict[int, Batch] = {}
    for where, line in _lines(folder / "input.jsonl"):
        source = _source(pipeline, line, where)
        batch = batches.setdefault(_number(line, "batch", where, 1), {})
        message = (
            _key(line, where),
            _value(pipeline, source, line, where),
            _number(line, "timestamp", where, _SENT_AT),
        )
        batch.setdefault(source, []).append(message)
    if not batches:
        raise _invalid(str(folder / "input.jsonl"), "there is no record to try the pipeline with")
    return Fixtures(tuple(batches[each] for each in sorted(batches)), _expected(pipeline, folder / "expected"))


def _expected(pipeline: Pipeline, folder: Path) -> Expected:
    rows = {}
    for flow in pipeline.document.flows:
        file = folder / f"{flow}.jsonl"
        if file.exists():
            rows[flow] = [line for _where, line in _lines(file)]
    letters = folder / f"{DEAD_LETTERS}.jsonl"
    return Expected(
        rows,
        [line for _where, line in _lines(letters)] if letters.exists() else None,
        _counts(pipeline, folder / "counts.json"),
    )


def _counts(pipeline: Pipeline, file: Path) -> dict[str, dict[str, int]]:
    counts = _object(_read(file), str(file)) if file.exists() else {}
    for flow, amounts in counts.items():
        require_known(file, "flow", flow, pipeline.document.flows)
        if not isinstance(amounts, dict):
            raise _invalid(str(file), f'`{flow}` has no amounts: {{"valid": 3, …}}')
    return counts


def _source(pipeline: Pipeline, line: Mapping[str, Any], where: str) -> str:
    own = [name for name, source in pipeline.document.sources.items() if source.sink is None]
    name = line.get("source", own[0] if len(own) == 1 else None)
    if name is None:
        raise _invalid(where, f"`source` is missing: the pipeline has {', '.join(own)}")
    require_known(Path(where), "source", str(name), own)
    return str(name)


def _value(pipeline: Pipeline, source: str, line: Mapping[str, Any], where: str) -> bytes | None:
    if "base64" in line:
        try:
            return base64.b64decode(line["base64"], validate=True)
        except (binascii.Error, TypeError, ValueError):
            raise _invalid(where, "`base64` is not base64") from None
    if "value" not in line:
        raise _invalid(where, "`value` is missing")
    value = line["value"]
    if value is None or isinstance(value, str):
        return None if value is None else value.encode()
    if pipeline.document.sources[source].format == "avro":
        return _avro(pipeline, source, line, where)
    return json.dumps(value).encode()


def _avro(pipeline: Pipeline, source: str, line: Mapping[str, Any], where: str) -> bytes:
    """By the schema whose id the line names under `schema_id`; default: the last of the writers."""
    import fastavro

    writers = pipeline.writers[source]
    schema_id = line.get("schema_id", max(writers) if writers else None)
    if schema_id is not None and schema_id not in writers:
        raise _invalid(where, f"there is no writer's schema with the id {schema_id}")
    text = pipeline.schemas[source].text if schema_id is None else writers[schema_id]
    written = BytesIO() if schema_id is None else BytesIO(b"\x00" + struct.pack(">I", schema_id))
    written.seek(0, 2)
    try:
        fastavro.schemaless_writer(written, fastavro.parse_schema(json.loads(text)), line["value"])
    except Exception as error:  # fastavro raises whatever comes up in the value
        raise _invalid(where, f"`value` does not fit the schema: {' '.join(str(error).split())}") from None
    return written.getvalue()


def _key(line: Mapping[str, Any], where: str) -> bytes | None:
    key = line.get("key")
    if key is not None and not isinstance(key, str):
        raise _invalid(where, "`key` is not a text")
    return None if key is None else key.encode()


def _number(line: Mapping[str, Any], name: str, where: str, default: int) -> int:
    value = line.get(name, default)
    if not isinstance(value, int):
        raise _invalid(where, f"`{name}` is not a whole number")
    return value


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _invalid(str(file), f"cannot be read: {getattr(error, 'strerror', None) or 'not UTF-8 text'}") from None


def _lines(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    # Not `splitlines`: it would also split at characters that JSON has within a text.
    for number, line in enumerate(_read(file).split("\n"), start=1):
        if line.strip():
            where = f"{file}:{number}"
            yield where, _object(line, where)


def _object(text: str, where: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise _invalid(where, f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise _invalid(where, "not a JSON object")
    return value


def _invalid(where: str, what: str) -> PipelineInvalid:
    return PipelineInvalid(what, where=where, fix=_FIX)
