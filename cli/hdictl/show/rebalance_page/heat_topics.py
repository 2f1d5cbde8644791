"""Every topic a column: how many of its replicas each broker holds, against the broker's share of the topic.

For clusters with more partitions than can be drawn. Topics with the most bytes to copy come first where there are more
of them than columns; the rest share the last column.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from hdictl.rebalance.plan import RebalancePlan
from hdictl.rebalance.snapshot import PartitionKey
from hdictl.show.rebalance_page.heat import WHENS, Column, Frame, heat_map
from hdictl.show.rebalance_page.markup import cell, legend
from hdictl.show.rebalance_words import fair
from hdictl.stack.units import count

_SCREEN = 1080
_MOST_CELLS = 6_000  # in each of the two maps
_WIDE_ENOUGH_FOR_NUMBERS = 24

_LEVELS = {
    "none": "no replica, though it has a share",
    "low": "more than one below its share",
    "even": "within one of its share",
    "high": "more than one above",
    "higher": "more than twice its share",
}


@dataclass
class _Topic:
    """Replicas by broker."""

    before: Counter[int] = field(default_factory=Counter)
    after: Counter[int] = field(default_factory=Counter)


def topic_map(plan: RebalancePlan) -> str:
    topics, left_over = _shown(plan, max(20, _MOST_CELLS // max(1, len(plan.brokers))))
    each = min(40.0, max(9.0, _SCREEN // len(topics)))
    columns = [Column(name, at * each, each - 1) for at, name in enumerate(topics)]
    frame = Frame(plan, columns)
    rest = f"<p>{count(left_over, 'topic')} with less to copy share the last column.</p>" if left_over else ""
    label = "Replicas by broker and topic, before and after"
    return legend(_LEVELS.items()) + heat_map(frame, label, _cells(frame, topics)) + rest


def _shown(plan: RebalancePlan, most: int) -> tuple[dict[str, _Topic], int]:
    """Topics by name, and how many of them are together in the last one."""
    to_copy: Counter[str] = Counter({topic: 0 for topic, _ in plan.placement})
    for step in plan.steps:
        to_copy[step.topic] += step.bytes
    ranked = sorted(to_copy, key=lambda topic: (-to_copy[topic], topic))
    alone = set(ranked) if len(ranked) <= most else set(ranked[: most - 1])
    left_over = len(ranked) - len(alone)
    others = f"{left_over:,} other topics"
    found: dict[str, _Topic] = {topic: _Topic() for topic in sorted(alone)}
    if left_over:
        found[others] = _Topic()

    def add(placement: Mapping[PartitionKey, tuple[int, ...]], *, is_before: bool) -> None:
        for (topic, _), replicas in placement.items():
            held = found[topic if topic in alone else others]
            (held.before if is_before else held.after).update(replicas)

    add(plan.original, is_before=True)
    add(plan.placement, is_before=False)
    return found, left_over


def _cells(frame: Frame, topics: Mapping[str, _Topic]) -> Iterable[str]:
    whole = sum(change.fair_replicas for change in frame.plan.brokers)
    shares = {change.broker.id: change.fair_replicas / whole if whole else 0.0 for change in frame.plan.brokers}
    for when in WHENS:
        for column in frame.columns:
            held = topics[column.name].before if when == "before" else topics[column.name].after
            total = sum(held.values())
            for change, y in frame.rows[when]:
                has, share = held[change.broker.id], total * shares[change.broker.id]
                title = f"{column.name} on {change.broker.id}: {count(has, 'replica')}, fair share {fair(share)}"
                yield cell(_level(has, share), (column.x, y, column.width, frame.row_height - 1), title)
                if column.width >= _WIDE_ENOUGH_FOR_NUMBERS and has:
                    x, baseline = column.x + column.width / 2, y + frame.row_height - 3
                    yield f'<text class="inside" x="{x:g}" y="{baseline:g}">{has}</text>'


def _level(has: int, share: float) -> str:
    if has == 0:
        return "none" if share >= 1 else "even"
    if has > share + 1:
        return "higher" if has > 2 * share else "high"
    return "low" if has < share - 1 else "even"
