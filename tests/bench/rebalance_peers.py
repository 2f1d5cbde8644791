"""What other planners did on inputs of the same kind, beside ours in the same columns. Their figures are kept in
rebalance_peers.csv; they were measured on one seed each, with other sizes, so that GB compare only roughly."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median

from hdictl.rebalance.plan import RebalancePlan
from tests.bench.rebalance_table import Row, head, line, widths_of

_FILE = Path(__file__).with_name("rebalance_peers.csv")
_HEADINGS = ("tool", "moves", "GB", "replicas", "leaders", "topic", "bytes", "FD", "UD", "s")
_WIDTHS = (*widths_of(_HEADINGS)[:3], 10, 10, 7, 14, 7, 7, 7)


def peer_tables(rows: Sequence[Row]) -> Iterator[str]:
    """Lines of Markdown: a table for each input that peers were measured on."""
    for name in dict.fromkeys(row.case.peers for row in rows if row.case.peers):
        ours = [row for row in rows if row.case.peers == name and row.plans]
        if ours:
            yield from ("", f"### Like {ours[0].case.name}", "", *head(_HEADINGS, _WIDTHS))
            yield from (line(_cells(row), _WIDTHS) for row in ours)
            yield from (line(cells, _WIDTHS) for cells in _peers(name))


def _cells(row: Row) -> list[str]:
    """Ours: medians of moves, bytes and seconds, the worst of everything else."""
    replicas = [change.after.replicas for plan in row.plans for change in plan.brokers]
    leaders = [change.after.leaders for plan in row.plans for change in plan.brokers]
    high, low = zip(*(_bytes(plan) for plan in row.plans), strict=True)
    return [
        f"**hdictl**{', bytes ±10 %' if row.case.wishes.balance_bytes else ''} ({len(row.plans)} seeds)",
        f"{median(plan.moves for plan in row.plans):,.0f}",
        f"{median(plan.bytes for plan in row.plans) / 1e9:,.0f}",
        f"{min(replicas)}–{max(replicas)}",
        f"{min(leaders)}–{max(leaders)}",
        str(max(_topic(plan) for plan in row.plans)),
        f"{max(high):.3f}–{min(low):.3f}",
        str(max(outcome.fd[1] for outcome in row.outcomes)),
        str(max(outcome.ud[1] for outcome in row.outcomes)),
        f"{median(outcome.seconds for outcome in row.outcomes):.2f}",
    ]


def _bytes(plan: RebalancePlan) -> tuple[float, float]:
    """The most and the least that a broker holds, as parts of the mean."""
    held = [change.after.bytes for change in plan.brokers]
    mean = sum(held) / len(held)
    return max(held) / mean, min(held) / mean


def _topic(plan: RebalancePlan) -> int:
    """The most that two brokers differ in replicas of one topic."""
    counts: dict[str, Counter[int]] = {}
    for (topic, _), replicas in plan.placement.items():
        counts.setdefault(topic, Counter()).update(replicas)
    return max(_apart(count[change.broker.id] for change in plan.brokers) for count in counts.values())


def _apart(values: Iterable[int]) -> int:
    seen = list(values)
    return max(seen) - min(seen)


def _peers(name: str) -> list[list[str]]:
    with _FILE.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row.pop("input") == name]
    return [[_spaced(key, value) for key, value in row.items()] for row in rows]


def _spaced(key: str, value: str) -> str:
    return f"{int(value):,}" if key in ("moved", "gigabytes") else value
