"""JSON. A number where the schema has text is read as text, as Spark does everywhere."""

from __future__ import annotations

import pyspark.sql.functions as F  # noqa: N812 (as everyone writes it)
from pyspark.sql import DataFrame

from streamkit.decode.parsed import TRIMMED, Parsed
from streamkit.spec import Source, to_ddl

_MALFORMED = "_malformed"
_FIELDS = "_fields"
_PARSED = "_parsed"


def parse_json(raw: DataFrame, source: Source, kept: list[str]) -> Parsed:
    columns = f"{_FIELDS} ARRAY<STRUCT<{to_ddl(source.columns)}>>, {_MALFORMED} STRING"
    # Spark's parser stops after the first object and would take `{…} rubbish` or `{…}{…}` for a good record. Inside
    # an array, whatever follows the first is an error, or another element, and there must be just one.
    text = f"concat('{{\"{_FIELDS}\":[', CAST(value AS STRING), ']}}')"
    options = f"map('mode', 'PERMISSIVE', 'columnNameOfCorruptRecord', '{_MALFORMED}')"
    elements = raw.select(*kept, F.expr(f"from_json({text}, '{columns}', {options})").alias(_PARSED))
    found, first = F.col(_PARSED)[_FIELDS], F.col(_PARSED)[_FIELDS].getItem(0)
    # White space alone gives no element, `null` one that is null, and an array or a text is malformed as one.
    is_malformed = F.col(_PARSED)[_MALFORMED].isNotNull() | (F.size(found) != 1) | first.isNull()
    fields = [first[name].alias(name) for name in source.columns]
    rows = elements.select(*kept, *fields, is_malformed.alias(_MALFORMED))
    why = F.when(F.expr(f"length({TRIMMED}) = 0"), F.lit("empty"))
    why = why.when(F.expr(f"substring({TRIMMED}, 1, 1) != '{{'"), F.lit("not_an_object"))
    return Parsed(rows, (F.col(_MALFORMED), why.otherwise(F.lit("malformed"))), [_MALFORMED])
