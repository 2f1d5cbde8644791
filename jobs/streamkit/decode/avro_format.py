"""Avro, plain or with the five bytes of a schema registry in front: a zero, and the id of the writer's schema.

Spark gives a record that it cannot read as one whose fields are all null. Every schema here has a field that is never
null (the event's id, or its time), so that such a record is told from a good one.
"""

from __future__ import annotations

import json
from typing import Any

import pyspark.sql.functions as F  # noqa: N812 (as everyone writes it)
from pyspark.sql import Column, DataFrame
from pyspark.sql.avro.functions import from_avro

from streamkit.decode.parsed import Parsed
from streamkit.errors import SpecError
from streamkit.spec import Source

_HEADER_BYTES = 5
_PERMISSIVE = {"mode": "PERMISSIVE"}


def parse_avro(raw: DataFrame, source: Source, kept: list[str]) -> Parsed:
    if source.schema is None:
        raise SpecError("a source of the format avro has a schema")
    why = F.when(F.expr("length(_record.value) = 0"), F.lit("empty"))
    if source.writers is None:
        fields = from_avro(F.col("value"), source.schema, _PERMISSIVE)
    else:
        fields = _by_writer(source.writers.schemas, source.schema)
        schema_id = F.expr("conv(hex(substring(_record.value, 2, 4)), 16, 10)")
        header = f"length(_record.value) < {_HEADER_BYTES} OR hex(substring(_record.value, 1, 1)) != '00'"
        why = why.when(F.expr(header), F.lit("bad_header"))
        unknown = F.concat(F.lit("unknown_schema:"), schema_id)
        why = why.when(~schema_id.isin(list(source.writers.schemas)), unknown)
    is_broken = F.col(_never_null(source.schema)).isNull()
    rows = raw.select(*kept, fields.alias("_fields")).select(*kept, "_fields.*")
    return Parsed(rows, (is_broken, why.otherwise(F.lit("malformed"))), [])


def _by_writer(schemas: dict[str, str], reader: str) -> Column:
    """Of all branches one is taken: a record is parsed once, by the schema it was written with. None: its fields are
    null, and it is broken."""
    header, payload = f"substring(value, 1, {_HEADER_BYTES})", F.expr(f"substring(value, {_HEADER_BYTES + 1})")
    branches = None
    for schema_id, writer in schemas.items():
        parsed = from_avro(payload, writer, {**_PERMISSIVE, "avroSchema": reader})
        is_writer = F.expr(f"{header} = X'00{int(schema_id):08X}'")
        branches = F.when(is_writer, parsed) if branches is None else branches.when(is_writer, parsed)
    if branches is None:
        raise SpecError("writers: at least one schema is needed")
    return branches


def _never_null(schema: str) -> str:
    """The first field that has no null among its types."""
    document = json.loads(schema)
    for field in document["fields"]:
        if not _may_be_null(field["type"]):
            return str(field["name"])
    raise SpecError("an Avro schema needs a field that is never null")


def _may_be_null(kind: Any) -> bool:
    return kind == "null" or (isinstance(kind, list) and "null" in kind)
