"""Every partition a column: which broker leads, which follow, which replicas move."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby

from hdictl.rebalance.plan import RebalancePlan
from hdictl.rebalance.snapshot import PartitionKey
from hdictl.show.rebalance_page.heat import WHENS, Column, Frame, When, heat_map
from hdictl.show.rebalance_page.markup import cell, legend

_SCREEN = 1080  # a map up to this wide needs no scrolling on most screens
_BETWEEN_TOPICS = 2
_NARROWEST, _WIDEST = 2.5, 14.0  # pixels of a partition


def partition_map(plan: RebalancePlan) -> str:
    topics = [(topic, len(list(keys))) for topic, keys in groupby(sorted(plan.placement), key=lambda key: key[0])]
    each = _width(sum(partitions for _, partitions in topics), len(topics))
    columns, x = [], 0.0
    for topic, partitions in topics:
        columns.append(Column(topic, x, partitions * each))
        x += partitions * each + _BETWEEN_TOPICS
    frame = Frame(plan, columns)
    marks = legend(
        (
            ("lead", "leader"),
            ("follow", "follower"),
            ("lead moved", "leader that leaves (before) or arrives (after)"),
            ("follow moved", "follower that leaves or arrives"),
            ("broken", "a domain rule is not kept"),
        )
    )
    places = _places(plan, {column.name: column.x for column in columns}, each)
    cells = (*_beds(frame), *_cells(frame, places, each))
    return marks + heat_map(frame, "Replicas by broker and partition, before and after", cells)


def _width(partitions: int, topics: int) -> float:
    """As wide as a screen allows, in half pixels, within what can still be seen and hit."""
    free = _SCREEN - topics * _BETWEEN_TOPICS
    return min(_WIDEST, max(_NARROWEST, int(2 * free / partitions) / 2))


def _places(plan: RebalancePlan, begins: Mapping[str, float], each: float) -> dict[PartitionKey, float]:
    """Partitions by position, not by number: a topic may have gaps in a snapshot."""
    places: dict[PartitionKey, float] = {}
    for topic, keys in groupby(sorted(plan.placement), key=lambda key: key[0]):
        places.update({key: begins[topic] + at * each for at, key in enumerate(keys)})
    return places


def _beds(frame: Frame) -> Iterable[str]:
    """What is empty is seen, too."""
    last = frame.columns[-1]
    for when in WHENS:
        rows = frame.rows[when]
        for _, y in rows:
            yield cell("bed", (0, y, last.x + last.width, frame.row_height - 1))
        for column in frame.columns[1:]:
            top, bottom = rows[0][1], rows[-1][1] + frame.row_height
            yield cell("gap", (column.x - _BETWEEN_TOPICS, top, _BETWEEN_TOPICS, bottom - top))


def _cells(frame: Frame, places: Mapping[PartitionKey, float], each: float) -> Iterable[str]:
    plan = frame.plan
    width = each - (1 if each >= 5 else 0.5 if each >= 4 else 0)
    for when in WHENS:
        rows = {change.broker.id: y for change, y in frame.rows[when]}
        placement, other = (plan.original, plan.placement) if when == "before" else (plan.placement, plan.original)
        for (topic, partition), replicas in sorted(placement.items()):
            key = (topic, partition)
            for at, broker in enumerate(replicas):
                if broker not in rows:
                    continue  # a replica on a broker that is gone has no row
                role, moves = ("follower", "leader")[at == 0], broker not in other[key]
                kind = ("lead" if at == 0 else "follow") + (" moved" if moves else "")
                title = f"{topic}/{partition} on {broker}: {role}{_moved(when) if moves else ''}"
                yield cell(kind, (places[key], rows[broker], width, frame.row_height - 1), title)
        yield from _marks(frame, when, places, width)


def _moved(when: When) -> str:
    return ", leaves" if when == "before" else ", arrives"


def _marks(frame: Frame, when: When, places: Mapping[PartitionKey, float], width: float) -> Iterable[str]:
    """Above the columns of partitions that share a domain."""
    violations = frame.plan.violations_before if when == "before" else frame.plan.violations
    by_name = {f"{topic}/{partition}": x for (topic, partition), x in places.items()}
    top = frame.rows[when][0][1] - 5
    reasons: dict[str, list[str]] = {}
    for violation in violations:
        if violation.where in by_name:
            reasons.setdefault(violation.where, []).append(violation.reason)
    for where, said in reasons.items():
        yield cell("broken", (by_name[where], top, width, 3), f"{where}: {'; '.join(said)}")
