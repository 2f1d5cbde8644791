"""What transforms do with streams, where SQL alone would be long or easy to get wrong.

A transform in SQL has `window`, `session_window` and joins of its own; these are for transforms in Python, and for the
library itself. All of them keep bounded state: each needs an event time with a watermark.
"""

from __future__ import annotations

import pyspark.sql.functions as F  # noqa: N812 (as everyone writes it)
from pyspark.sql import Column, DataFrame


def dedup(rows: DataFrame, keys: list[str], event_time: str) -> DataFrame:
    """One row a key, of those that come within the watermark of each other.

    Spark 3.5 does just that. Before it, the event time must be a part of the key, because it is what ids are forgotten
    by: a copy with another event time is not recognised there. (Without it, state would grow for ever.)
    """
    within = getattr(rows, "dropDuplicatesWithinWatermark", None)
    if within is not None:
        found: DataFrame = within(list(keys))
        return found
    return rows.dropDuplicates([*(key for key in keys if key != event_time), event_time])


def tumbling(rows: DataFrame, event_time: str, length: str, keys: list[str], *aggregates: Column) -> DataFrame:
    """One row a key and window, put out once, when the watermark has passed the window's end."""
    grouped = rows.groupBy(F.window(F.col(event_time), length), *keys).agg(*aggregates)
    return _flat(grouped, "window")


def sessions(rows: DataFrame, event_time: str, gap: str, keys: list[str], *aggregates: Column) -> DataFrame:
    """One row a key and session: events with no longer pause between them than `gap`."""
    grouped = rows.groupBy(F.session_window(F.col(event_time), gap), *keys).agg(*aggregates)
    return _flat(grouped, "session_window")


def enrich(stream: DataFrame, table: DataFrame, on: str) -> DataFrame:
    """Every row of the stream, with what the table knows of it; NULLs where it knows nothing.

    The table is sent to every executor: the stream is not shuffled, and no state is kept.
    """
    return stream.join(F.broadcast(table), on, "left")


def interval_join(first: DataFrame, second: DataFrame, on: str, times: tuple[str, str], within: str) -> DataFrame:
    """Pairs of the same key in which the second comes after the first, and no later than `within`.

    `times` are the event times of both, which have watermarks; the bound lets Spark forget a row when no partner can
    come any more.
    """
    first_time, second_time = times
    left, right = first.alias("first"), second.alias("second")
    is_pair = F.expr(
        f"first.`{on}` = second.`{on}` AND second.`{second_time}` >= first.`{first_time}`"
        f" AND second.`{second_time}` <= first.`{first_time}` + INTERVAL {within}"
    )
    return left.join(right, is_pair, "inner").drop(F.col(f"second.{on}"))


def _flat(grouped: DataFrame, window: str) -> DataFrame:
    """The window as two columns of milliseconds, so that every sink and every reader understands it."""
    others = [name for name in grouped.columns if name != window]
    start = F.expr(f"unix_millis({window}.start)").alias("window_start")
    end = F.expr(f"unix_millis({window}.end)").alias("window_end")
    return grouped.select(*others, start, end)
