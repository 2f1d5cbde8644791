"""When an event happened, how long Spark waits for late ones, and one row an event id."""

from __future__ import annotations

import pyspark.sql.functions as F  # noqa: N812 (as everyone writes it)
from pyspark.sql import DataFrame

from streamkit.spec import Source


def with_event_time(rows: DataFrame, source: Source) -> DataFrame:
    """The event-time column becomes a timestamp with a watermark, and repeated events are dropped.

    Late rows are dropped here, one by one, before anything else sees them: the number of late rows that Spark reports
    for this operator is exact. The aggregation behind it would count late *groups*.
    """
    column = source.event_time.column
    timed = rows.withColumn(column, F.expr(f"timestamp_millis(`{column}`)"))
    timed = timed.withWatermark(column, source.event_time.watermark)
    if not source.deduplicate:
        return timed
    # The event time is part of the key because Spark 3.3 forgets ids by it; otherwise its state grows for ever.
    keys = [key for key in source.deduplicate if key != column]
    return timed.dropDuplicates([*keys, column])
