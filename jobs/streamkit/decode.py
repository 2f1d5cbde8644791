"""Raw records to fields: each record is parsed once, and nothing unusable passes in silence.

What comes out has `_record` (the record as it was in Kafka), one column a field, and `_error`:

    NULL                the record is valid
    tombstone           no value at all: a deletion, neither valid nor a dead letter
    empty               nothing but white space
    not_an_object       no `{` at its beginning; of `[{…}, {…}]` Spark would take the first and lose the second
    malformed           not JSON, or a field has the wrong type (Spark's parser does not say which)
    missing:a,b         required fields that are absent or null
    event_time:…        no point in time (`out_of_range`), or a clock that is wrong (`in_the_future`)
    expectation:name    parsed, but it breaks a rule of the pipeline

A number where the schema has text is read as text, as Spark does everywhere.
"""

from __future__ import annotations

import pyspark.sql.functions as F  # noqa: N812 (as everyone writes it)
from pyspark.sql import Column, DataFrame

from streamkit.spec import Source

RECORD_COLUMNS = ("key", "value", "topic", "partition", "offset", "timestamp")
TOMBSTONE = "tombstone"
DEAD_KINDS = ("empty", "not_an_object", "malformed", "missing", "event_time", "expectation")

# The years 1 to 9999. Beyond them `timestamp_millis` throws, and one such record would stop the job for good.
FIRST_MILLISECOND, LAST_MILLISECOND = -62135596800000, 253402300799999

_MALFORMED = "_malformed"
_FIELDS = "_fields"


def decode(raw: DataFrame, source: Source) -> DataFrame:
    columns = f"{_FIELDS} STRUCT<{source.columns}>, {_MALFORMED} STRING"
    # Spark's parser stops after the first object and would take `{…} rubbish` or `{…}{…}` for a good record. Inside
    # another object, whatever follows the first is an error.
    text = f"concat('{{\"{_FIELDS}\":', CAST(value AS STRING), '}}')"
    options = f"map('mode', 'PERMISSIVE', 'columnNameOfCorruptRecord', '{_MALFORMED}')"
    # `inline(array(…))` is a generator, which the optimiser does not copy. A plain `from_json(…) as j` followed by
    # `j.a, j.b` is put back into every place that uses a field, and each copy parses the record again.
    parsed = f"inline(array(from_json({text}, '{columns}', {options})))"
    record = F.struct(*RECORD_COLUMNS).alias("_record")
    fields = raw.select(record, F.expr(parsed)).select("_record", _FIELDS + ".*", _MALFORMED)
    return fields.withColumn("_error", _error(source)).drop(_MALFORMED)


def valid(decoded: DataFrame) -> DataFrame:
    return decoded.where(F.col("_error").isNull()).drop("_error", "_record")


def dead(decoded: DataFrame) -> DataFrame:
    return decoded.where(F.col("_error") != TOMBSTONE).select("_record", "_error")


def counts() -> list[Column]:
    """Aggregates over decoded rows: how many there are of each kind."""
    error = F.col("_error")
    kinds = {
        "valid": error.isNull(),
        "tombstones": error == TOMBSTONE,
        "dead": error != TOMBSTONE,
        **{f"dead_{kind}": error.startswith(kind) for kind in DEAD_KINDS},
    }
    return [F.count(F.when(is_of_kind, 1)).alias(name) for name, is_of_kind in kinds.items()]


def _error(source: Source) -> Column:
    value = F.col("_record.value")
    # JSON's white space; SQL's own trim() takes away blanks only.
    text = F.expr("trim(BOTH ' \\t\\r\\n' FROM CAST(_record.value AS STRING))")
    error = (
        F.when(value.isNull(), F.lit(TOMBSTONE))
        .when(F.length(text) == 0, F.lit("empty"))
        .when(F.substring(text, 1, 1) != "{", F.lit("not_an_object"))
        .when(F.col(_MALFORMED).isNotNull(), F.lit("malformed"))
    )
    if source.required:
        missing = F.concat_ws(",", *[F.when(F.col(name).isNull(), F.lit(name)) for name in source.required])
        error = error.when(missing != "", F.concat(F.lit("missing:"), missing))
    error = _event_time_error(error, source)
    for name, condition in source.expectations.items():
        # `IS NOT TRUE`: a condition that comes out as NULL is not met.
        error = error.when(F.expr(f"({condition}) IS NOT TRUE"), F.lit(f"expectation:{name}"))
    return error


def _event_time_error(error: Column, source: Source) -> Column:
    """An event from the future would drag the watermark along, and make all that follows late."""
    time = F.col(source.event_time.column)
    is_possible = time.between(FIRST_MILLISECOND, LAST_MILLISECOND)
    error = error.when(~is_possible, F.lit("event_time:out_of_range"))
    if source.event_time.max_ahead_ms is not None:
        # Measured against the record's own timestamp, so that a replay decides as the first run did.
        latest = F.expr("unix_millis(_record.timestamp)") + F.lit(source.event_time.max_ahead_ms)
        error = error.when(time > latest, F.lit("event_time:in_the_future"))
    return error
