"""Every partition that changes, as text: what the heat map shows, for those who read or search."""

from __future__ import annotations

from collections.abc import Collection

from hdictl.rebalance.plan import RebalancePlan, Step
from hdictl.show.rebalance_page.markup import folded, scroller, section, table, text
from hdictl.stack.units import count, rounded_size

_MOST_LISTED = 400


def moves_section(plan: RebalancePlan) -> str:
    if plan.is_empty:
        return ""
    largest = sorted(plan.steps, key=lambda step: (-step.bytes, step.key))[:_MOST_LISTED]
    made = table(
        "Partitions that change, most bytes first",
        ("partition", "before", "after", "one replica", "to copy"),
        (_row(step) for step in largest),
        numbers=(3, 4),
    )
    left = len(plan.steps) - len(largest)
    more = f"<p>and {left:,} smaller ones, in the plan file</p>" if left else ""
    return section(
        "moves",
        "Partitions that change",
        "The first broker of a list is the preferred leader; replicas that stay keep their order.",
        folded(f"{count(len(plan.steps), 'partition')}", scroller("Partitions that change", made), more),
    )


def _row(step: Step) -> tuple[str, ...]:
    return (
        text(f"{step.topic}/{step.partition}"),
        _replicas(step.before, step.removing, "del"),
        _replicas(step.after, step.adding, "ins"),
        rounded_size(step.size),
        rounded_size(step.bytes) if step.bytes else "order only",
    )


def _replicas(brokers: tuple[int, ...], marked: Collection[int], tag: str) -> str:
    return ", ".join(f"<{tag}>{text(broker)}</{tag}>" if broker in marked else text(broker) for broker in brokers)
