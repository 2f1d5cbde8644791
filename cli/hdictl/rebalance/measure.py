"""What a placement is like: loads against fair shares, spread, and the plan that leads there."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hdictl.rebalance.plan import BrokerChange, Certificate, Kind, Load, RebalancePlan, Spread, Step, Violation
from hdictl.rebalance.snapshot import Broker, Partition, PartitionKey, Snapshot
from hdictl.rebalance.solver import Floats

Placement = Mapping[PartitionKey, tuple[int, ...]]


@dataclass(frozen=True)
class FairLoad:
    """By broker id; brokers that shall hold nothing are not there."""

    replicas: Mapping[int, float]
    leaders: Mapping[int, float]
    bytes: Mapping[int, float]
    topics: Mapping[str, Mapping[int, float]]


@dataclass(frozen=True)
class Findings:
    """What is known about a placement beside the placement. Without a certificate, no more than 0 is proven."""

    fair: FairLoad = FairLoad({}, {}, {}, {})
    certificate: Certificate = Certificate(0, 0, "none")  # noqa: RUF009 (frozen)
    violations: tuple[Violation, ...] = ()
    violations_before: tuple[Violation, ...] = ()
    notes: tuple[str, ...] = ()


def loads(partitions: Iterable[Partition], placement: Placement) -> dict[int, Load]:
    replicas: Counter[int] = Counter()
    leaders: Counter[int] = Counter()
    size: Counter[int] = Counter()
    for partition in partitions:
        held = placement[partition.key]
        leaders[held[0]] += 1
        for broker in held:
            replicas[broker] += 1
            size[broker] += partition.size
    return {broker: Load(replicas[broker], leaders[broker], size[broker]) for broker in replicas}


def spread_of(snapshot: Snapshot, placement: Placement, fair: FairLoad, *, has_topics: bool) -> Spread:
    seen = loads(snapshot.partitions, placement)
    nothing = Load(0, 0, 0)
    at = {broker.id: seen.get(broker.id, nothing) for broker in snapshot.brokers}
    topic = _topic_spread(snapshot, placement, fair) if has_topics else 0.0
    return Spread(
        replicas=_farthest(abs(at[id].replicas - fair.replicas.get(id, 0.0)) for id in at),
        leaders=_farthest(abs(at[id].leaders - fair.leaders.get(id, 0.0)) for id in at),
        topic=topic,
        bytes=_farthest(abs(at[id].bytes / share - 1) for id, share in fair.bytes.items() if share > 0),
    )


def _farthest(values: Iterable[float]) -> float:
    return round(max(values, default=0.0), 6)


def _topic_spread(snapshot: Snapshot, placement: Placement, fair: FairLoad) -> float:
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    for partition in snapshot.partitions:
        counts[partition.topic].update(placement[partition.key])
    return _farthest(
        abs(counts[topic][id] - share) for topic, shares in fair.topics.items() for id, share in shares.items()
    )


def measured(
    kind: Kind,
    snapshot: Snapshot,
    placement: Placement,
    known: Findings = Findings(),  # noqa: B008 (frozen)
) -> RebalancePlan:
    """The plan that leads from the snapshot to the placement."""
    fair = known.fair
    original = {partition.key: partition.replicas for partition in snapshot.partitions}
    steps = tuple(
        Step(partition.topic, partition.partition, partition.replicas, placement[partition.key], partition.size)
        for partition in snapshot.partitions
        if placement[partition.key] != partition.replicas
    )
    changed = {step.key for step in steps}
    has_topics = bool(fair.topics)
    return RebalancePlan(
        kind=kind,
        cluster=snapshot.cluster,
        cluster_id=snapshot.cluster_id,
        fingerprint=snapshot.fingerprint,
        steps=steps,
        untouched={key: replicas for key, replicas in original.items() if key not in changed},
        brokers=_changes(snapshot, original, placement, steps, fair),
        spread_before=spread_of(snapshot, original, fair, has_topics=has_topics),
        spread=spread_of(snapshot, placement, fair, has_topics=has_topics),
        violations_before=known.violations_before,
        violations=known.violations,
        certificate=known.certificate,
        notes=known.notes,
        is_replication_change=kind == "replication",
    )


def _changes(
    snapshot: Snapshot, original: Placement, placement: Placement, steps: Iterable[Step], fair: FairLoad
) -> tuple[BrokerChange, ...]:
    before, after = loads(snapshot.partitions, original), loads(snapshot.partitions, placement)
    inbound: Counter[int] = Counter()
    outbound: Counter[int] = Counter()
    for step in steps:
        for broker in step.adding:
            inbound[broker] += step.size
            outbound[step.before[0]] += step.size  # followers copy from the leader
    nothing = Load(0, 0, 0)
    return tuple(
        BrokerChange(
            broker,
            before.get(broker.id, nothing),
            after.get(broker.id, nothing),
            round(fair.replicas.get(broker.id, 0.0), 3),
            round(fair.leaders.get(broker.id, 0.0), 3),
            round(fair.bytes.get(broker.id, 0.0), 1),
            inbound[broker.id],
            outbound[broker.id],
        )
        for broker in snapshot.brokers
    )


def per_broker(brokers: Sequence[Broker], values: Floats) -> dict[int, float]:
    return {broker.id: float(value) for broker, value in zip(brokers, np.asarray(values), strict=True)}
