"""How far jobs are behind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich.markup import escape

from hdictl.show.jobs import failed_json, show_failed
from hdictl.show.tables import print_table, table
from hdictl.show.terminal import out, print_json
from hdictl.streaming.lag import QueryLag
from hdictl.streaming.outcomes import FailedJob

_NAMED_PARTITIONS = 3


def show_lag(jobs: Mapping[str, Sequence[QueryLag]], failed: Sequence[FailedJob] = (), *, as_json: bool) -> None:
    """Job → its queries; none for a job that has no checkpoint."""
    found = [query for queries in jobs.values() for query in queries]
    without = [job for job, queries in jobs.items() if not queries]
    if as_json:
        listed = [_lag(each) for each in found]
        print_json("jobs lag", {"queries": listed, "without_checkpoint": without, "failed": failed_json(failed)})
        return
    if found:
        _show_table(found)
    for each in found:
        for note in _notes(each):
            out.print(f"[yellow]! {escape(each.job)}/{escape(each.query)}: {escape(note)}[/yellow]")
    for job in without:
        out.print(f"{escape(job)} has no checkpoint: it has never run, or was reset")
    show_failed(failed)


def _show_table(found: Sequence[QueryLag]) -> None:
    numbers = ("behind", "seconds", "reads/s", "comes in/s", "caught up in")
    rows = table("job", "query", *numbers, "group", right=numbers)
    for each in found:
        speed = "–" if each.reads_per_second is None else f"{each.reads_per_second:,.0f}"
        figures = (f"{each.records:,}", f"{each.seconds:,.1f}", speed, f"{each.writes_per_second:,.0f}", _eta(each))
        rows.add_row(escape(each.job), escape(each.query), *figures, escape(each.group))
    print_table(rows)


def _eta(lag: QueryLag) -> str:
    if not lag.is_at_work:
        return lag.state
    if lag.eta_seconds is not None:
        return f"{lag.eta_seconds:,.0f} s"
    return "unknown" if lag.reads_per_second is None else "never"


def _notes(lag: QueryLag) -> Iterator[str]:
    for topic in lag.renewed:
        yield f"topic `{topic}` was deleted and made anew, and nothing of the new one counts as read"
    yield from lag.damage
    if lag.apart:
        places = [f"{each.topic} p{each.partition} {each.committed:,} ({each.position:,})" for each in lag.apart]
        more = len(places) - _NAMED_PARTITIONS
        listed = ", ".join(places[:_NAMED_PARTITIONS]) + (f" and {more} more" if more > 0 else "")
        yield f"its group stands elsewhere than its checkpoint (in brackets): {listed}"


def _lag(each: QueryLag) -> dict[str, Any]:
    return {
        "job": each.job,
        "query": each.query,
        "state": each.state,
        "group": each.group,
        "records": each.records,
        "seconds": each.seconds,
        "eta_seconds": each.eta_seconds,
        "reads_per_second": each.reads_per_second,
        "writes_per_second": each.writes_per_second,
        "renewed_topics": list(each.renewed),
        "damage": list(each.damage),
        "partitions": [{**asdict(part), "records": part.records} for part in each.partitions],
    }
