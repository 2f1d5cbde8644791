"""What transforms do with streams, where SQL alone would be long or easy to get wrong.

A transform in SQL has `window`, `session_window` and joins of its own; these are for transforms in Python, and for the
library itself. All of them keep bounded state: each needs an event time with a watermark.
"""

from __future__ import annotations

import pyspark.sql.functions as F  # noqa: N812 (as everyone writes it)
from pyspark.sql import Column, DataFrame

_EXPIRES = "_expires"


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
    keys = [on]
    if not _has_one_event_time_a_stream(first):
        keys.append(_EXPIRES)
        first, second = _with_buckets(first, first_time, second, second_time, within)
    are_equal = [f"first.`{key}` = second.`{key}`" for key in keys]
    follows = f"second.`{second_time}` >= first.`{first_time}`"
    is_in_time = f"second.`{second_time}` <= first.`{first_time}` + INTERVAL {within}"
    is_pair = F.expr(" AND ".join([*are_equal, follows, is_in_time]))
    pairs = first.alias("first").join(second.alias("second"), is_pair, "inner")
    return pairs.drop(F.col(f"second.{on}")).drop(_EXPIRES)


def _with_buckets(
    first: DataFrame, first_time: str, second: DataFrame, second_time: str, within: str
) -> tuple[DataFrame, DataFrame]:
    """A bucket of time as a part of the key, named by the moment at which nothing can come for it any more.

    By the bound alone Spark would look up every row that it keeps, in each micro-batch, to compare its time.

    Buckets have half the bound's length: the partner of a second row is in its own bucket or in one of the two before,
    so it waits in all three; and a first row is kept for half the bound longer than it need be.
    """
    bound = f"unix_millis(timestamp_millis(0) + INTERVAL {within})"
    half = f"({bound} + 1) div 2"

    def expires(time: str, buckets_before: int) -> Column:
        milliseconds = f"unix_millis(`{time}`)"
        bucket_end = f"{milliseconds} - pmod({milliseconds}, {half}) + {half}"
        return F.expr(f"timestamp_millis({bucket_end} - {buckets_before} * ({half}) + {bound})")

    waits_in = F.explode(F.array(*[expires(second_time, before) for before in range(3)]))
    return (
        first.withColumn(_EXPIRES, _forgotten_by(expires(first_time, 0))),
        second.withColumn(_EXPIRES, waits_in),
    )


def _forgotten_by(time: Column) -> Column:
    """In a join's key, the time that state is forgotten by, once the watermark has passed it. It moves no watermark."""
    return time.alias(_EXPIRES, metadata={"spark.watermarkDelayMs": 0})


def _has_one_event_time_a_stream(rows: DataFrame) -> bool:
    """Spark 3.5 takes a second one for an error."""
    return hasattr(rows, "dropDuplicatesWithinWatermark")


def _flat(grouped: DataFrame, window: str) -> DataFrame:
    """The window as two columns of milliseconds, so that every sink and every reader understands it."""
    others = [name for name in grouped.columns if name != window]
    start = F.expr(f"unix_millis({window}.start)").alias("window_start")
    end = F.expr(f"unix_millis({window}.end)").alias("window_end")
    return grouped.select(*others, start, end)
