"""A cluster of six brokers, three of them new, and a plan that uses them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hdictl.ports.progress import Silent
from hdictl.rebalance.plan import BrokerChange, Certificate, Load, RebalancePlan, Spread, Step
from hdictl.rebalance.snapshot import Broker, Partition, PartitionKey, make_snapshot
from hdictl.rebalance.throttle_wish import throttle_wish
from hdictl.workflow.rebalance.run import run_plan
from hdictl.workflow.rebalance.verify import verify
from tests.fakes.moving_cluster import Killed, Line, MovingCluster, Placed, work

SILENT = Silent()
TEN = throttle_wish("10MB")
BEFORE: dict[PartitionKey, tuple[int, ...]] = {
    ("orders", 0): (1001, 1002, 1003),
    ("orders", 1): (1002, 1003, 1001),
    ("orders", 2): (1003, 1001, 1002),
    ("views", 0): (1001, 1002, 1003),
    ("views", 1): (1001, 1003, 1002),
    ("quiet", 0): (1001, 1002, 1003),
}
AFTER = {
    **BEFORE,
    ("orders", 0): (1004, 1002, 1003),
    ("orders", 1): (1002, 1005, 1006),
    ("orders", 2): (1006, 1004, 1005),
    ("views", 0): (1001, 1005, 1003),
    ("views", 1): (1003, 1001, 1002),  # another order only
}


def cluster(placement: dict[PartitionKey, tuple[int, ...]] = BEFORE) -> MovingCluster:
    return MovingCluster(
        {key: Placed(replicas, frozenset(replicas), replicas[0]) for key, replicas in placement.items()}
    )


def plan(
    before: dict[PartitionKey, tuple[int, ...]] = BEFORE, after: dict[PartitionKey, tuple[int, ...]] = AFTER
) -> RebalancePlan:
    brokers = [Broker(1001 + number) for number in range(6)]
    made = make_snapshot(
        brokers, [Partition(*key, replicas) for key, replicas in before.items()], cluster_id="cluster-1"
    )
    nothing, spread = Load(0, 0, 0), Spread(0, 0, 0, 0)
    return RebalancePlan(
        kind="balance",
        cluster="ingest",
        cluster_id="cluster-1",
        fingerprint=made.fingerprint,
        steps=tuple(
            Step(*key, before[key], after[key], 10_000_000) for key in sorted(before) if before[key] != after[key]
        ),
        untouched={key: replicas for key, replicas in before.items() if after[key] == replicas},
        brokers=tuple(BrokerChange(broker, nothing, nothing, 0, 0, 0, 0, 0) for broker in brokers),
        spread_before=spread,
        spread=spread,
        violations_before=(),
        violations=(),
        certificate=Certificate(0, 0, "none"),
        notes=(),
    )


def killed_while_moving() -> MovingCluster:
    seen = cluster()
    line = Line(seen)

    def happens(_: MovingCluster) -> None:
        if seen.moves:
            line.is_dead = True
            raise Killed

    seen.happens = happens
    with pytest.raises(Killed):
        run_plan(work(seen, "dead", SILENT, line), plan(), TEN)
    seen.happens = None
    return seen


def placement_of(seen: MovingCluster) -> dict[PartitionKey, tuple[int, ...]]:
    return {key: placed.replicas for key, placed in seen.partitions.items()}


def differences(seen: MovingCluster) -> tuple[str, ...]:
    looker = work(seen, "looker", SILENT)
    return verify(looker.target, "ingest", looker.pace).differences


def with_step(made: RebalancePlan, key: PartitionKey, after: tuple[int, ...]) -> RebalancePlan:
    return replace(made, steps=tuple(replace(s, after=after) if s.key == key else s for s in made.steps))
