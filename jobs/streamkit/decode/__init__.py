"""Raw records to fields: each record is parsed once, and nothing unusable passes in silence.

A record is dead when the first of these holds:

    tombstone           no value at all: a deletion, neither valid nor a dead letter
    empty               nothing, or nothing but white space
    not_an_object       JSON: no `{` at its beginning; of `[{…}, {…}]` Spark would take the first and lose the second
    bad_header          Avro: not the five bytes that a schema registry puts in front
    unknown_schema:7    Avro: five bytes that name a schema which the pipeline does not
    malformed           it cannot be parsed, or a field has the wrong type (Spark's parsers do not say which)
    missing:a,b         required fields that are absent or null
    event_time:…        no point in time (`out_of_range`), a wrong clock (`in_the_future`), or `too_old`
    expectation:name    parsed, but it breaks a rule of the pipeline

`json_format`, `avro_format` and `text_format` parse; `verdict` judges.

Flows and dead letters are queries of their own, and want different things. A flow gets the fields of what is valid: it
carries neither the record nor a reason along, which is work for every good record. The query of the dead letters gets
the record as it was in Kafka, and the reason.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import pyspark.sql.functions as F  # noqa: N812 (as everyone writes it)
from pyspark.sql import Column, DataFrame

from streamkit.decode.avro_format import parse_avro
from streamkit.decode.json_format import parse_json
from streamkit.decode.parsed import Parser
from streamkit.decode.text_format import parse_text
from streamkit.decode.verdict import DEAD_KINDS, TOMBSTONE, to_checks
from streamkit.event_time import with_milliseconds
from streamkit.spec import Source

RECORD_COLUMNS = ("key", "value", "topic", "partition", "offset", "timestamp")
HEADERS = "headers"

_PARSERS: dict[str, Parser] = {"json": parse_json, "avro": parse_avro, "text": parse_text}
_KINDS = ["_is_tombstone", "_is_dead"]


def valid(raw: DataFrame, source: Source, metrics: str) -> DataFrame:
    """The fields of valid records. All are counted as they pass, and reported under the name of `metrics`."""
    is_tombstone, is_dead = (F.col(name) for name in _KINDS)
    kinds = {"valid": ~is_tombstone & ~is_dead, "tombstones": is_tombstone, "dead": is_dead}
    return observed(judged(raw, source), metrics, kinds).where(kinds["valid"]).drop(*_KINDS)


def judged(raw: DataFrame, source: Source) -> DataFrame:
    """The fields of every record, and whether it is a tombstone, or dead: neither is ever null."""
    is_tombstone = F.col("value").isNull().alias("_is_tombstone")
    kept = ["_is_tombstone", "_written"]
    parsed = _PARSERS[source.format](raw.select("value", is_tombstone, _written()), source, kept)
    rows = with_milliseconds(parsed.rows, source)
    is_dead = reduce(lambda one, other: one | other, (condition for condition, _why in to_checks(parsed, source)))
    return rows.withColumn("_is_dead", ~F.col("_is_tombstone") & is_dead).drop(*parsed.helpers, "_written")


def dead(raw: DataFrame, source: Source, metrics: str) -> DataFrame:
    """Dead records as they were in Kafka (`_record`), and why (`_error`); counted by kind as well."""
    error = F.col("_error")
    kinds = {"valid": error.isNull(), "tombstones": error == TOMBSTONE, "dead": error != TOMBSTONE}
    kinds.update({f"dead_{kind}": error.startswith(kind) for kind in DEAD_KINDS})
    counted = observed(explained(raw, source), metrics, kinds)
    return counted.where(error != TOMBSTONE).select("_record", "_error")


def explained(raw: DataFrame, source: Source) -> DataFrame:
    """Every record (`_record`), its fields, and what is wrong with it (`_error`): nothing, `tombstone`, or a reason."""
    columns = [*RECORD_COLUMNS, *([HEADERS] if HEADERS in raw.columns else [])]
    record = F.struct(*columns).alias("_record")
    parsed = _PARSERS[source.format](raw.select("value", record, _written()), source, ["_record", "_written"])
    rows = with_milliseconds(parsed.rows, source)
    error = F.when(F.col("_record.value").isNull(), F.lit(TOMBSTONE))
    for condition, why in to_checks(parsed, source):
        error = error.when(condition, why)
    return rows.withColumn("_error", error).drop(*parsed.helpers, "_written")


def _written() -> Column:
    return F.expr("unix_millis(timestamp)").alias("_written")


def observed(rows: DataFrame, name: str, kinds: dict[str, Column]) -> DataFrame:
    """Counts the rows of each kind as they pass; each micro-batch reports them under `observedMetrics`.

    Spark pushes no filter below this. It would copy the parsing into the filter, and parse each record twice.
    """
    first, *others = [F.count(F.when(is_of_kind, 1)).alias(kind)._jc for kind, is_of_kind in kinds.items()]
    spark = rows.sparkSession
    jvm: Any = spark._jvm
    # Python's own `observe` takes a stream's name from Spark 3.4 on; the JVM's always did.
    return DataFrame(rows._jdf.observe(name, first, jvm.PythonUtils.toSeq(others)), spark)
