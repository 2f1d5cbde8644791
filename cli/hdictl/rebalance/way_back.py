"""The plan that leads back: from where partitions are now to where they were before a rebalance.

Pure. It goes back by the same way and needs no planner: the bound says what it is, the moves themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from hdictl.errors import PlanStale
from hdictl.rebalance.measure import loads
from hdictl.rebalance.plan import BrokerChange, Certificate, Load, RebalancePlan, Step
from hdictl.rebalance.snapshot import Partition, PartitionKey, Snapshot


def way_back(plan: RebalancePlan, snapshot: Snapshot) -> RebalancePlan:
    """Topics that were made since stay where they are; those deleted since are gone."""
    _require_ours(plan, snapshot.partitions)
    steps = tuple(
        Step(*part.key, part.replicas, plan.original[part.key], part.size)
        for part in snapshot.partitions
        if part.key in plan.original and part.replicas != plan.original[part.key]
    )
    moved = {step.key: step.after for step in steps}
    return replace(
        plan,
        fingerprint=snapshot.fingerprint,
        cluster_id=snapshot.cluster_id,
        steps=steps,
        untouched={part.key: part.replicas for part in snapshot.partitions if part.key not in moved},
        brokers=_changes(plan, snapshot, moved, steps),
        spread_before=plan.spread,
        spread=plan.spread_before,
        violations_before=plan.violations,
        violations=plan.violations_before,
        certificate=Certificate(
            sum(step.moves for step in steps), sum(step.bytes for step in steps), "every replica goes back where it was"
        ),
        notes=(),
        is_replication_change=any(len(step.before) != len(step.after) for step in steps),
        seconds=0.0,
    )


def _require_ours(plan: RebalancePlan, partitions: Iterable[Partition]) -> None:
    """What somebody else has moved since is not ours to put back."""
    known = {key: [set(replicas)] for key, replicas in plan.original.items()}
    for key, replicas in plan.placement.items():
        known[key].append(set(replicas))
    strange = [part for part in partitions if part.key in known and set(part.replicas) not in known[part.key]]
    if strange:
        first = strange[0]
        raise PlanStale(
            f"{count(len(strange), 'partition was', 'partitions were')} moved by somebody else since, {first.topic}/{first.partition} for one",
            fix="plan from where things are: hdictl rebalance plan",
        )


def _changes(
    plan: RebalancePlan, snapshot: Snapshot, moved: Mapping[PartitionKey, tuple[int, ...]], steps: Iterable[Step]
) -> tuple[BrokerChange, ...]:
    nothing, now = Load(0, 0, 0), {part.key: part.replicas for part in snapshot.partitions}
    before, after = loads(snapshot.partitions, now), loads(snapshot.partitions, {**now, **moved})
    known = {change.broker.id: change for change in plan.brokers}
    inbound: Counter[int] = Counter()
    outbound: Counter[int] = Counter()
    for step in steps:
        outbound[step.before[0]] += step.bytes
        for broker in step.adding:
            inbound[broker] += step.size
    return tuple(
        BrokerChange(
            broker,
            before.get(broker.id, nothing),
            after.get(broker.id, nothing),
            *_fair(known.get(broker.id), before.get(broker.id, nothing)),
            inbound[broker.id],
            outbound[broker.id],
        )
        for broker in snapshot.brokers
    )


def _fair(known: BrokerChange | None, load: Load) -> tuple[float, float, float]:
    if known is None:
        return float(load.replicas), float(load.leaders), float(load.bytes)
    return known.fair_replicas, known.fair_leaders, known.fair_bytes
