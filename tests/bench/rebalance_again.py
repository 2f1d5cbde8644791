"""What a plan has to keep over time: made twice it is the same to the byte; carried out it leaves nothing to move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hdictl.rebalance.plan import RebalancePlan
from hdictl.rebalance.plan_file import to_text
from hdictl.rebalance.planner import plan
from hdictl.rebalance.snapshot import Snapshot
from tests.bench.rebalance_judged import Judged


def broken_by_another_plan(judged: Judged, *, is_repeated: bool) -> Iterator[str]:
    if is_repeated and _text(plan(judged.start, judged.wishes)) != _text(judged.plan):
        yield "same: the same input gave another plan"
    if "settled" in judged.may_leave:
        return
    then = plan(carried_out(judged.start, judged.plan), judged.wishes)
    if then.moves:
        yield f"settled: a second plan, on the first one's result, has {then.moves} moves"


def _text(made: RebalancePlan) -> str:
    return to_text(replace(made, seconds=0.0))


def carried_out(start: Snapshot, made: RebalancePlan) -> Snapshot:
    """The cluster once the plan is done: replicas are where they shall be, in sync, and disks are as full as that."""
    gained = {change.broker.id: change.after.bytes - change.before.bytes for change in made.brokers}
    brokers = (
        broker if broker.free is None else replace(broker, free=max(0, broker.free - gained[broker.id]))
        for broker in start.brokers
    )
    partitions = (
        replace(partition, replicas=made.placement[partition.key], isr=made.placement[partition.key])
        for partition in start.partitions
    )
    return replace(start, brokers=tuple(brokers), partitions=tuple(partitions))
