"""Lines of text, by one regular expression whose groups are the fields.

The expression runs once a record: it puts a separator between its groups, and the rest is splitting. One
`regexp_extract` a field would run it as often as there are fields.
"""

from __future__ import annotations

from functools import reduce

import pyspark.sql.functions as F  # noqa: N812 (as everyone writes it)
from pyspark.sql import Column, DataFrame

from streamkit.decode.parsed import TRIMMED, Parsed
from streamkit.errors import SpecError
from streamkit.spec import Source

_SEPARATOR = "\u0001"
_TEXTS = "_texts"
_MALFORMED = "_malformed"


def parse_text(raw: DataFrame, source: Source, kept: list[str]) -> Parsed:
    if source.pattern is None:
        raise SpecError("a source of the format text has a pattern")
    # One before the first as well: a line that does not match has none at all, and is not taken for a first field.
    groups = "".join(f"{_SEPARATOR}${number}" for number in range(1, len(source.columns) + 1))
    # A separator in the text itself would make one field more.
    text = F.translate(F.col("value").cast("string"), _SEPARATOR, " ")
    split = F.split(F.regexp_replace(text, rf"^(?:{source.pattern})\s*$", groups), _SEPARATOR)
    texts = raw.select(*kept, split.alias(_TEXTS))
    given = [_given(place, kind, source.nothing) for place, kind in enumerate(source.columns.values(), start=1)]
    fields = [value.cast(kind) for value, kind in zip(given, source.columns.values())]
    is_unmatched = F.size(_TEXTS) != len(source.columns) + 1
    wrong = [value.isNotNull() & field.isNull() for value, field in zip(given, fields)]
    is_malformed = reduce(lambda either, other: either | other, wrong, is_unmatched)
    named = [field.alias(name) for name, field in zip(source.columns, fields)]
    why = F.when(F.expr(f"length({TRIMMED}) = 0"), F.lit("empty")).otherwise(F.lit("malformed"))
    rows = texts.select(*kept, *named, is_malformed.alias(_MALFORMED))
    return Parsed(rows, (F.col(_MALFORMED), why), [_MALFORMED])


def _given(place: int, kind: str, nothing: str | None) -> Column:
    """A group that took no part in the match is empty: for whatever is not text, that is no value."""
    text = F.col(_TEXTS).getItem(place)
    if kind != "STRING":
        text = F.when(text != "", text)
    return text if nothing is None else F.when(text != nothing, text)
