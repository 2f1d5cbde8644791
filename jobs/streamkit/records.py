"""Rows as records of Kafka: output with its identity, and dead letters as they came."""

from __future__ import annotations

from typing import Mapping

import pyspark.sql.functions as F  # noqa: N812 (as everyone writes it)
from pyspark.sql import Column, DataFrame

from streamkit.spec import Sink

LARGEST = 1_048_588  # bytes: what a topic takes of which nobody has said otherwise
_FRAME = 1024  # more than Kafka adds to one record that travels alone
_HEADER_FRAME = 16  # and to each of its headers


def output_records(rows: DataFrame, sink: Sink, pipeline: str, flow: str) -> DataFrame:
    """The key and the id depend on the content alone. Two flows may write to one topic: the id tells them apart."""
    key = F.concat_ws("|", *[_part(name) for name in sink.key])
    return rows.select(
        key.cast("binary").alias("key"),
        F.to_json(F.struct("*")).cast("binary").alias("value"),
        _headers({"event_id": F.concat(F.lit(f"{pipeline}|{flow}|"), key), "pipeline": F.lit(pipeline)}),
    )


def _part(column: str) -> Column:
    r"""One value of a key, so written that different rows never get the same: `\|` and `\\` in it, `\N` for NULL."""
    text = "CAST(`{}` AS STRING)".format(column.replace("`", "``"))
    back = "chr(92)"
    escaped = f"replace(replace({text}, {back}, concat({back}, {back})), '|', concat({back}, '|'))"
    return F.expr(f"coalesce({escaped}, concat({back}, 'N'))")


def dead_letter_records(rows: DataFrame, pipeline: str, largest: int = LARGEST) -> DataFrame:
    """The record byte for byte with its own headers, and behind those where it lay and what is wrong with it.

    `largest`: bytes that the topic of dead letters takes. A record may have more, for it came compressed, or has them
    with what is added here. Then the first part of its value is kept, and a header `truncated` says how long it was:
    a letter that cannot be written would stop the job for good.
    """
    record = F.col("_record")
    told = _headers(
        {
            "error": F.col("_error"),
            "pipeline": F.lit(pipeline),
            "topic": record["topic"],
            "partition": record["partition"],
            "offset": record["offset"],
            "timestamp": F.expr("unix_millis(_record.timestamp)"),
        }
    )
    none = F.slice(told, 1, 0)
    parts = rows.select(
        record["key"].alias("key"),
        record["value"].alias("value"),
        # Kafka gives NULL where a record has none; `concat` would make all of it NULL.
        F.coalesce(record["headers"], none).alias("own"),
        told.alias("told"),
    )
    sized = parts.select("*", F.expr(f"coalesce(octet_length(key), 0) + {_size('own')}").alias("around"))
    measured = sized.select("*", F.expr(f"{largest - _FRAME} - {_size('told')}").alias("room"))
    whole = F.expr("around + coalesce(octet_length(value), 0) <= room")
    # A key or headers that are as large as that leave too little of the value to know it by.
    has_around = whole | F.expr("around <= room div 2")
    first_part = F.expr("substring(value, 1, room - if(around <= room div 2, around, 0))")
    cut = _headers({"truncated": F.expr("coalesce(octet_length(value), 0)")})
    return measured.select(
        F.when(has_around, F.col("key")).alias("key"),
        F.when(whole, F.col("value")).otherwise(first_part).alias("value"),
        F.concat(
            F.when(has_around, F.col("own")).otherwise(F.slice("told", 1, 0)),
            F.when(whole, F.slice("told", 1, 0)).otherwise(cut),
            F.col("told"),
        ).alias("headers"),
    )


def _size(headers: str) -> str:
    each = f"octet_length(h.key) + coalesce(octet_length(h.value), 0) + {_HEADER_FRAME}"
    return f"aggregate({headers}, 0, (sum, h) -> sum + {each})"


def _headers(values: Mapping[str, Column]) -> Column:
    pairs = [
        F.struct(F.lit(name).alias("key"), value.cast("string").cast("binary").alias("value"))
        for name, value in values.items()
    ]
    return F.array(*pairs).alias("headers")
