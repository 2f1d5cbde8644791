"""T: the Avro schemas that topics name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from hdictl.stack.check.context import Context, is_known
from hdictl.stack.check.registry import ERROR, Problem, rule
from hdictl.stack.shown import shown


@rule(
    "T020",
    ERROR,
    "A topic's schema file exists and is an Avro schema",
    why="Jobs and tools read and write values by it; a broken schema stops them at the first record.",
    fix="Mend the file or the path, which is relative to the stack file.",
    source="Apache Avro 1.11",
)
def schema(context: Context) -> Iterator[Problem]:
    faults: dict[str, str | None] = {}
    for topic in context.topics:
        file = topic.topic.schema_file
        if file is None or not is_known(file):
            continue
        if file not in faults:
            faults[file] = _schema_fault(context, file)
        if fault := faults[file]:
            yield Problem(
                topic.address,
                (*topic.path, "schema"),
                f"schema `{shown(file)}` of topic `{topic.key}` {fault}",
                "mend the file, or the path (relative to the stack file)",
            )


def _schema_fault(context: Context, file: str) -> str | None:
    try:
        return _avro_fault(json.loads(context.read_text(context.folder / file)))
    except FileNotFoundError:
        return "does not exist"
    except json.JSONDecodeError as error:
        return f"is not JSON: {error.msg}, line {error.lineno}"
    except (OSError, ValueError, RecursionError) as error:
        return f"cannot be read: {getattr(error, 'strerror', None) or _one_line(error)}"


def _avro_fault(schema: Any) -> str | None:
    import fastavro.schema

    try:
        fastavro.schema.parse_schema(schema)
    except Exception as error:  # for malformed schemas fastavro raises KeyError, TypeError and others of its own
        return f"is not an Avro schema: {_one_line(error)}"
    return None


def _one_line(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= 160 else f"{text[:157]}…"
