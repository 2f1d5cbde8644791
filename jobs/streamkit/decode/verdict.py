"""Whether a parsed record can be used, and if not, why."""

from __future__ import annotations

from functools import reduce
from typing import Iterator

import pyspark.sql.functions as F  # noqa: N812 (as everyone writes it)

from streamkit.decode.parsed import Check, Parsed
from streamkit.spec import EventTime, Source

TOMBSTONE = "tombstone"
DEAD_KINDS = (
    "empty", "not_an_object", "bad_header", "unknown_schema", "malformed", "missing", "event_time", "expectation",
)  # fmt: skip

# The years 1 to 9999. Beyond them `timestamp_millis` throws, and one such record would stop the job for good.
FIRST_MILLISECOND, LAST_MILLISECOND = -62135596800000, 253402300799999


def to_checks(parsed: Parsed, source: Source) -> list[Check]:
    """The first that holds is what is wrong with a record. One is null only where one before it holds."""
    checks = [parsed.broken]
    if source.required:
        are_missing = [F.col(name).isNull() for name in source.required]
        missing = F.concat_ws(",", *[F.when(F.col(name).isNull(), F.lit(name)) for name in source.required])
        checks.append((reduce(lambda one, other: one | other, are_missing), F.concat(F.lit("missing:"), missing)))
    if source.event_time is not None:
        checks += _event_time_checks(source.event_time)
    for name, condition_text in source.expectations.items():
        # `IS NOT TRUE`: a condition that comes out as NULL is not met.
        checks.append((F.expr(f"({condition_text}) IS NOT TRUE"), F.lit(f"expectation:{name}")))
    return checks


def _event_time_checks(event_time: EventTime) -> Iterator[Check]:
    """An event from the future would drag the watermark along, and make all that follows late.

    One that is too old would be late itself, and dropped; here it becomes a dead letter, which somebody can replay.
    Both are measured against the record's own timestamp, so that a replay decides as the first run did.
    """
    time, written = F.col(event_time.column), F.col("_written")
    # A text that is no time was given, and is null now; one that was not given is missing, and named above.
    is_possible = time.between(FIRST_MILLISECOND, LAST_MILLISECOND)
    yield time.isNull() | ~is_possible, F.lit("event_time:out_of_range")
    if event_time.max_ahead_ms is not None:
        yield time > written + event_time.max_ahead_ms, F.lit("event_time:in_the_future")
    if event_time.max_behind_ms is not None:
        yield time < written - event_time.max_behind_ms, F.lit("event_time:too_old")
