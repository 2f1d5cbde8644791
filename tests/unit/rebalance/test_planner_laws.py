"""Over random clusters: what no plan may ever do, whatever it is asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from hdictl.errors import CannotPlace
from hdictl.rebalance.plan import RebalancePlan
from hdictl.rebalance.planner import plan
from hdictl.rebalance.snapshot import Broker, Partition, Snapshot, make_snapshot
from hdictl.rebalance.wishes import Wishes

_PATIENT = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow], derandomize=True)


@st.composite
def clusters(draw: st.DrawFn) -> Snapshot:
    ids = list(range(1001, 1001 + draw(st.integers(1, 8))))
    free = st.none() | st.integers(0, 400)
    brokers = [
        Broker(id, draw(st.integers(0, 2)), draw(st.integers(0, 4)), free=draw(free) if draw(st.booleans()) else None)
        for id in ids
    ]
    old = ids[: draw(st.integers(1, len(ids)))]
    partitions = []
    for number in range(draw(st.integers(0, 4))):
        replication = draw(st.integers(1, min(4, len(old))))
        for index in range(draw(st.integers(1, 6))):
            replicas = tuple(draw(st.permutations(old))[:replication])
            isr = replicas[: draw(st.integers(1, replication))] if draw(st.booleans()) else replicas
            partitions.append(Partition(f"t{number}", index, replicas, isr, draw(st.integers(0, 100))))
    return make_snapshot(brokers, partitions)


@st.composite
def wishes(draw: st.DrawFn, cluster: Snapshot) -> Wishes:
    ids = sorted(cluster.broker_ids)
    largest = max((len(p.replicas) for p in cluster.partitions), default=1)
    drained = draw(st.integers(0, max(0, len(ids) - largest)))
    return Wishes(
        repair_only=draw(st.booleans()),
        drain=frozenset(draw(st.permutations(ids))[:drained]) if len(ids) > drained else frozenset(),
        balance_bytes=draw(st.sampled_from([None, None, 0.1, 0.5])),
        global_only=draw(st.booleans()),
        no_domains=draw(st.sampled_from([False, False, True])),
    )


@_PATIENT
@given(st.data())
def test_no_plan_ever(data: st.DataObject) -> None:
    cluster = data.draw(clusters())
    asked = data.draw(wishes(cluster))
    try:
        made = plan(cluster, asked)
    except CannotPlace:
        event("there is no room")
        return
    _holds(cluster, asked, made)
    again = plan(cluster, asked)
    assert replace(again, seconds=0) == replace(made, seconds=0), "the same input gives the same plan"


def _holds(cluster: Snapshot, asked: Wishes, made: RebalancePlan) -> None:
    allowed = cluster.broker_ids - asked.drain
    arriving = dict.fromkeys(cluster.broker_ids, 0)
    for partition in cluster.partitions:
        after = made.placement[partition.key]
        assert len(after) == len(partition.replicas), "replication is kept, whatever the ISR is"
        assert len(set(after)) == len(after), "no broker holds two replicas of a partition"
        if not asked.repair_only:
            assert set(after) <= allowed, "only brokers that may hold something"
        assert set(after) <= cluster.broker_ids
        if set(after) == set(partition.replicas) and after[0] == partition.replicas[0]:
            assert after == partition.replicas, "what stays keeps its order"
        for broker in set(after) - set(partition.replicas):
            arriving[broker] += partition.size
    for broker in cluster.brokers:
        assert broker.free is None or arriving[broker.id] <= 0.9 * broker.free + 1e-6, "disks are never filled"
    assert made.certificate.moves <= made.moves, "a bound is below what it bounds"
    assert made.certificate.bytes <= made.bytes
    assert made.original == {p.key: p.replicas for p in cluster.partitions}


@_PATIENT
@given(st.data())
def test_a_second_run_moves_nothing(data: st.DataObject) -> None:
    """Whatever was asked for, and also where windows could not be kept: unless a disk was in the way."""
    cluster = data.draw(clusters())
    roomy = replace(cluster, brokers=tuple(replace(broker, free=None) for broker in cluster.brokers))
    asked = data.draw(wishes(roomy))
    made = plan(roomy, asked)
    result = replace(
        roomy,
        partitions=tuple(replace(p, replicas=made.placement[p.key], isr=None) for p in roomy.partitions),
    )
    event("windows are left" if any(v.rule in ("replicas", "topic", "bytes") for v in made.violations) else "kept")
    assert plan(result, asked).moves == 0


def test_sums_are_added_by_one_thread():
    """numpy asks when it is loaded, so it is said before."""
    code = "import os, sys, hdictl.rebalance; print(os.environ['OPENBLAS_NUM_THREADS'], 'numpy' in sys.modules)"
    clean = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    said = subprocess.run([sys.executable, "-c", code], env=clean, capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["1", "False"]
