"""The schema of a source's records: a JSON Schema (.json) or an Avro schema (.avsc), as columns of Spark."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hdictl.errors import PipelineInvalid

_JSON_TYPES = {"string": "STRING", "integer": "BIGINT", "number": "DOUBLE", "boolean": "BOOLEAN"}
_AVRO_TYPES = {
    "string": "STRING",
    "enum": "STRING",
    "long": "BIGINT",
    "int": "INT",
    "double": "DOUBLE",
    "float": "FLOAT",
    "boolean": "BOOLEAN",
    "bytes": "BINARY",
    "fixed": "BINARY",
}
_AVRO_TIMES = {"timestamp-millis": "TIMESTAMP", "timestamp-micros": "TIMESTAMP", "date": "DATE"}


@dataclass(frozen=True)
class RecordSchema:
    file: Path
    columns: Mapping[str, str]  # field → type, as Spark writes it
    required: tuple[str, ...]
    text: str  # as it is written; Spark reads Avro by it


def read_record_schema(file: Path, text: str) -> RecordSchema:
    try:
        document = json.loads(text)
    except ValueError as error:
        raise _invalid(file, f"not JSON: {error}") from None
    return _avro(file, document, text) if file.suffix == ".avsc" else _json(file, document, text)


def _json(file: Path, schema: Any, text: str) -> RecordSchema:
    if not isinstance(schema, dict) or not isinstance(schema.get("properties"), dict):
        raise _invalid(file, "not a JSON Schema of an object with `properties`")
    columns = {name: _json_type(name, prop, file) for name, prop in schema["properties"].items()}
    required = schema.get("required", [])
    unknown = [name for name in required if name not in columns] if isinstance(required, list) else [required]
    if unknown:
        raise _invalid(file, f"`{unknown[0]}` is required and not among the `properties`", "add it there")
    return RecordSchema(file, columns, tuple(required), text)


def _json_type(name: str, prop: Any, file: Path) -> str:
    kind = prop.get("type") if isinstance(prop, dict) else prop
    if isinstance(kind, list):  # ["string", "null"]: every column may be null
        others = [each for each in kind if each != "null"]
        kind = others[0] if len(others) == 1 else " or ".join(map(str, kind))
    if kind == "array":
        return f"ARRAY<{_json_type(name, prop.get('items', {}), file)}>"
    if kind == "object":
        fields = prop.get("properties", {}).items()
        return "STRUCT<" + ", ".join(f"`{inner}`: {_json_type(inner, value, file)}" for inner, value in fields) + ">"
    if not isinstance(kind, str) or kind not in _JSON_TYPES:
        known = ", ".join([*_JSON_TYPES, "array", "object"])
        raise _invalid(file, f"`{name}` has the type `{kind}`, which has no column type", f"use one of {known}")
    return _JSON_TYPES[kind]


def _avro(file: Path, schema: Any, text: str) -> RecordSchema:
    import fastavro.schema

    try:
        fastavro.schema.parse_schema(schema)
    except Exception as error:  # for malformed schemas fastavro raises KeyError, TypeError and others of its own
        raise _invalid(file, f"not an Avro schema: {' '.join(str(error).split())}") from None
    if not isinstance(schema, dict) or schema.get("type") != "record":
        raise _invalid(file, "not the Avro schema of a record")
    _require_no_collections(file, schema)
    columns = {field["name"]: _avro_type(field["type"]) for field in schema["fields"]}
    required = tuple(field["name"] for field in schema["fields"] if not _may_be_null(field["type"]))
    if not required:
        raise _invalid(file, "every field may be null, so that a broken record could not be told from a good one")
    return RecordSchema(file, columns, required, text)


def _require_no_collections(file: Path, record: Mapping[str, Any]) -> None:
    """Avro makes room for as many items as a record claims to have, before it looks at them. A broken one of a few
    bytes can claim two billion, which ends the process: of texts the claim can be limited, of items it cannot."""
    for field in record["fields"]:
        for kind in _inside(field["type"]):
            if kind in ("array", "map"):
                what = (
                    f"`{field['name']}` has the type `{kind}`: one broken record could take all memory, and end the job"
                )
                raise _invalid(
                    file, what, "write it as a text of JSON, or as fields of their own; or use the format json"
                )


def _inside(kind: Any) -> Iterator[str]:
    """The names of all types in a type."""
    if isinstance(kind, list):
        for each in kind:
            yield from _inside(each)
    elif isinstance(kind, dict):
        yield from _inside(kind["type"])
        for field in kind.get("fields", ()):
            yield from _inside(field["type"])
    else:
        yield str(kind)


def _avro_type(kind: Any) -> str:
    if isinstance(kind, list):
        others = [each for each in kind if each != "null"]
        return _avro_type(others[0]) if len(others) == 1 else "STRUCT"
    if isinstance(kind, dict):
        logical = _AVRO_TIMES.get(kind.get("logicalType", ""))
        inner = kind["type"]
        return logical or _avro_type(inner)
    return _AVRO_TYPES.get(kind, "STRUCT")


def _may_be_null(kind: Any) -> bool:
    return kind == "null" or (isinstance(kind, list) and "null" in kind)


def _invalid(where: Path, what: str, fix: str = "see docs/pipelines.md for what a schema may say") -> PipelineInvalid:
    return PipelineInvalid(what, where=str(where), fix=fix)
