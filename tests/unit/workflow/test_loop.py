"""observe → plan → apply → verify, over a cluster in memory that can break."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hdictl.errors import ApplyFailed, Interrupted, NotConfirmed, PlanRefused, PlanStale, VerifyFailed
from hdictl.plan.change import Action
from hdictl.plan.observed import ObservedTopic
from hdictl.plan.saved import read_plan, require_fresh, write_plan
from hdictl.plan.wishes import Wishes
from hdictl.ports.progress import Silent
from hdictl.rebalance.placement import spread_violations
from hdictl.stack.model import Stack
from hdictl.workflow.apply import apply_plan
from hdictl.workflow.converge import converge
from hdictl.workflow.plan import make_plan
from hdictl.workflow.verify import verify
from tests.fakes.cluster import MemoryCluster, MemoryTarget

SILENT = Silent()


def stack(topics: dict, **more: object) -> Stack:
    return Stack.model_validate({"stack": "s", "clusters": {"ingest": {"kind": "kafka"}}, "topics": topics, **more})


def many(count: int) -> Stack:
    return stack({f"topic-{number:04}": {"partitions": 6} for number in range(count)})


def test_apply_leaves_an_empty_plan_and_a_second_apply_does_nothing():
    cluster = MemoryCluster()
    target = MemoryTarget(cluster)
    wanted = stack({"a": {"partitions": 6}, "b": {"config": {"retention.ms": "3d"}}})
    converged = converge(wanted, target, env=None, progress=SILENT)
    assert (converged.applied.done, converged.left.is_empty) == (2, True)
    before = list(cluster.requests)
    assert converge(wanted, target, env=None, progress=SILENT).applied.total == 0
    assert cluster.requests == before


def test_every_partition_is_spread_over_domains():
    cluster = MemoryCluster(count=6)
    converge(many(20), MemoryTarget(cluster), env=None, progress=SILENT)
    for topic in cluster.observed.topics.values():
        assert spread_violations(topic.assignment, cluster.observed.brokers) == (0, 0)


def test_creations_go_in_small_batches():
    cluster = MemoryCluster()
    converge(many(100), MemoryTarget(cluster), env=None, progress=SILENT)
    assert cluster.requests == ["create"] * 4  # 100 topics × 18 replicas, 600 replicas a request at the most


def test_a_broker_that_dies_loses_nothing_and_the_next_run_goes_on():
    cluster = MemoryCluster()
    target = MemoryTarget(cluster)
    cluster.dies_after = 2
    with pytest.raises(ApplyFailed) as failure:
        converge(many(100), target, env=None, progress=SILENT)
    assert "66 of 100 changes are made" in failure.value.what
    assert "hdictl apply" in str(failure.value.fix)
    cluster.dies_after = None
    assert converge(many(100), target, env=None, progress=SILENT).applied.done == 34


def test_ctrl_c_says_how_far_it_came():
    cluster = MemoryCluster()
    cluster.interrupts_after = 1
    with pytest.raises(Interrupted) as interrupted:
        converge(many(100), MemoryTarget(cluster), env=None, progress=SILENT)
    assert "33 of 100" in interrupted.value.what
    assert interrupted.value.exit_code == 130


def test_one_refusal_and_nothing_is_touched():
    cluster = MemoryCluster()
    wanted = stack({"good": {}, "bad": {"replication": 4}, "worse": {"replication": 5}})
    plan = make_plan(wanted, MemoryTarget(cluster))
    assert len(plan.refusals) == 2
    with pytest.raises(PlanRefused) as refused:
        apply_plan(plan, wanted, MemoryTarget(cluster), SILENT)
    assert "topic:ingest/bad" in refused.value.what
    assert "topic:ingest/worse" in refused.value.what
    assert cluster.requests == []


def test_partitions_grow_with_the_replicas_that_the_topic_has():
    cluster = MemoryCluster(count=6)
    target = MemoryTarget(cluster)
    converge(stack({"t": {"partitions": 3}}), target, env=None, progress=SILENT)
    first = cluster.observed.topics["t"].assignment
    wanted = stack({"t": {"partitions": 9}})
    plan = make_plan(wanted, target)
    apply_plan(plan, wanted, target, SILENT)
    grown = cluster.observed.topics["t"].assignment
    assert grown[:3] == first
    assert len(grown) == 9
    assert spread_violations(grown, cluster.observed.brokers) == (0, 0)


def test_what_cannot_be_taken_back_is_not_done_unasked():
    cluster = MemoryCluster()
    target = MemoryTarget(cluster)
    converge(stack({"t": {"partitions": 3}}), target, env=None, progress=SILENT)
    with pytest.raises(NotConfirmed):
        converge(stack({"t": {"partitions": 6}}), target, env=None, progress=SILENT)
    assert cluster.observed.topics["t"].partitions == 3


def test_deletion_needs_the_stack_and_the_flag():
    cluster = MemoryCluster()
    target = MemoryTarget(cluster)
    converge(stack({"old": {}, "new": {}}), target, env=None, progress=SILENT)
    wanted = stack({"new": {}}, deleted={"old": None})
    assert make_plan(wanted, target).is_empty
    plan = make_plan(wanted, target, wishes=Wishes(delete_topics=True))
    assert [change.action for change in plan.changes] == [Action.DELETE]
    apply_plan(plan, wanted, target, SILENT)
    assert list(cluster.observed.topics) == ["new"]


def test_replication_change_is_planned_and_left():
    cluster = MemoryCluster()
    target = MemoryTarget(cluster)
    converge(stack({"t": {"replication": 2}}), target, env=None, progress=SILENT)
    converged = converge(stack({"t": {"replication": 3}}), target, env=None, progress=SILENT)
    assert converged.applied.deferred == 1
    assert [change.is_deferred for change in converged.left.changes] == [True]
    assert converged.next_steps == ("hdictl rebalance run --cluster ingest --replication t=3",)
    assert cluster.requests == ["create"]


def test_verify_names_what_is_still_to_do():
    cluster = MemoryCluster()
    clock = iter(range(0, 1000, 10))
    plan = make_plan(many(2), MemoryTarget(cluster))
    with pytest.raises(VerifyFailed, match="2 changes are still to do"):
        verify(lambda: plan, now=lambda: next(clock), pause=lambda _seconds: None)


class TestSavedPlans:
    def test_a_plan_survives_the_disk(self, tmp_path):
        plan = make_plan(many(3), MemoryTarget(MemoryCluster()))
        write_plan(plan, tmp_path / "plan.json")
        assert read_plan(tmp_path / "plan.json") == plan

    def test_a_fresh_plan_passes_and_a_strangers_topic_does_not_matter(self, tmp_path):
        cluster = MemoryCluster()
        target = MemoryTarget(cluster)
        plan = make_plan(many(3), target)
        cluster._put(ObservedTopic("stranger", ((1001, 1002, 1003),)))
        require_fresh(plan, make_plan(many(3), target), tmp_path)

    def test_a_stale_plan_says_what_moved(self, tmp_path):
        cluster = MemoryCluster()
        target = MemoryTarget(cluster)
        plan = make_plan(many(3), target)
        cluster._put(ObservedTopic("topic-0001", ((1001, 1002, 1003),) * 6))
        with pytest.raises(PlanStale, match="topic:ingest/topic-0001 needs no change any more"):
            require_fresh(plan, make_plan(many(3), target), tmp_path)

    def test_another_cluster_is_seen(self, tmp_path):
        plan = make_plan(many(1), MemoryTarget(MemoryCluster()))
        now = make_plan(many(1), MemoryTarget(MemoryCluster(cluster_id="id-2")))
        with pytest.raises(PlanStale, match="was id-1 and is now id-2"):
            require_fresh(plan, now, tmp_path)

    def test_a_new_broker_is_seen(self, tmp_path):
        cluster = MemoryCluster()
        target = MemoryTarget(cluster)
        plan = make_plan(many(1), target)
        cluster.observed = replace(cluster.observed, brokers=MemoryCluster(count=4).observed.brokers)
        with pytest.raises(PlanStale, match=r"brokers of `ingest` were \[1001, 1002, 1003\] and are now"):
            require_fresh(plan, make_plan(many(1), target), tmp_path)
