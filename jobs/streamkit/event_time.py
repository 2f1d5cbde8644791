"""When an event happened, how long Spark waits for late ones, and one row an event id."""

from __future__ import annotations

import pyspark.sql.functions as F  # noqa: N812 (as everyone writes it)
from pyspark.sql import DataFrame

from streamkit.ops import dedup
from streamkit.spec import Source

NO_TIME = -(2**63)


def with_milliseconds(rows: DataFrame, source: Source) -> DataFrame:
    """A time that is written as text becomes milliseconds; one that is no time becomes a number that is none either."""
    event_time = source.event_time
    if event_time is None or event_time.format is None:
        return rows
    text = F.col(event_time.column)
    milliseconds = F.expr("unix_millis(_time)")
    timed = rows.withColumn("_time", F.to_timestamp(text, event_time.format))
    time = F.when(text.isNotNull(), F.coalesce(milliseconds, F.lit(NO_TIME)))
    return timed.withColumn(event_time.column, time).drop("_time")


def with_event_time(rows: DataFrame, source: Source) -> DataFrame:
    """The event-time column becomes a timestamp with a watermark, and repeated events are dropped.

    Late rows are dropped here, one by one, before anything else sees them: the number of late rows that Spark reports
    for this operator is exact. The aggregation behind it would count late *groups*.
    """
    if source.event_time is None:
        return rows
    column = source.event_time.column
    timed = rows.withColumn(column, F.expr(f"timestamp_millis(`{column}`)"))
    timed = timed.withWatermark(column, source.event_time.watermark)
    return dedup(timed, source.deduplicate, column) if source.deduplicate else timed
