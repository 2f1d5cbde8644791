"""A run from its plan to its end: batches, throttles, leaders, and what it refuses to begin."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hdictl.errors import JournalMissing, MovesForeign, NotInSync, PlanRefused, PlanStale, RebalanceBusy
from hdictl.rebalance.placed import Ongoing
from hdictl.rebalance.throttle import RATES, SENDERS
from hdictl.rebalance.throttle_wish import throttle_wish
from hdictl.workflow.rebalance.rollback import rollback_plan
from hdictl.workflow.rebalance.run import resume, run_plan
from tests.fakes.moving_cluster import work
from tests.unit.rebalance_run.moves import (
    AFTER,
    BEFORE,
    SILENT,
    TEN,
    cluster,
    differences,
    placement_of,
    plan,
    with_step,
)


def test_a_run_moves_everything_and_leaves_nothing_behind():
    seen = cluster()
    outcome = run_plan(work(seen, "me", SILENT), plan(), TEN)
    assert placement_of(seen) == AFTER
    assert {key: placed.leader for key, placed in seen.partitions.items()} == {key: r[0] for key, r in AFTER.items()}
    assert differences(seen) == ()
    assert (outcome.run.phase, len(outcome.stands.done)) == ("finished", 5)
    assert seen.rates_seen == {"10000000"}


def test_without_a_throttle_none_is_set():
    seen = cluster()
    run_plan(work(seen, "me", SILENT), plan(), throttle_wish("none"))
    assert placement_of(seen) == AFTER
    assert seen.rates_seen == {"200000000"}


def test_throttles_that_were_there_come_back_exactly():
    seen = cluster()
    seen.broker_settings = {1001: {RATES[0]: "777"}, 1004: {RATES[1]: "42"}}
    seen.topic_settings = {"orders": {SENDERS: "9:1001"}, "quiet": {SENDERS: "*"}}
    settings = (
        {id: dict(each) for id, each in seen.broker_settings.items()},
        {topic: dict(each) for topic, each in seen.topic_settings.items()},
    )
    run_plan(work(seen, "me", SILENT), plan(), TEN)
    left = ({i: s for i, s in seen.broker_settings.items() if s}, {t: s for t, s in seen.topic_settings.items() if s})
    assert left == settings
    assert differences(seen) == ()


def test_the_way_back_leads_back():
    seen = cluster()
    run_plan(work(seen, "me", SILENT), plan(), TEN)
    back = work(seen, "me again", SILENT)
    outcome = run_plan(back, rollback_plan(back), TEN, "rollback")
    assert placement_of(seen) == BEFORE
    assert outcome.run.command == "rollback"
    assert differences(seen) == ()


def test_nothing_to_go_on_with():
    seen = cluster()
    with pytest.raises(JournalMissing, match="there has been none"):
        resume(work(seen, "me", SILENT), None)
    run_plan(work(seen, "me", SILENT), plan(), TEN)
    with pytest.raises(JournalMissing, match="is finished"):
        resume(work(seen, "me", SILENT), None)


def test_two_at_a_time_never():
    seen = cluster()
    tried: list[str] = []

    def second(_: object) -> None:
        if seen.moves and not tried:
            with pytest.raises(RebalanceBusy, match="process 1 on here is at work") as busy:
                run_plan(work(seen, "second", SILENT, is_gone=lambda _: False), plan(), TEN)
            tried.append(str(busy.value))

    seen.happens = second
    run_plan(work(seen, "first", SILENT), plan(), TEN)
    assert tried
    assert differences(seen) == ()


class TestRefusals:
    """Nothing is touched: no record of a run stands in the journal."""

    def test_moves_of_somebody_else(self):
        seen = cluster()
        seen.moves[("quiet", 0)] = Ongoing((1004, 1001, 1002, 1003), (1004,), (1001,))
        with pytest.raises(MovesForeign, match="1 partition is being moved by somebody else: quiet/0"):
            run_plan(work(seen, "me", SILENT), plan(), TEN)
        assert seen.read().run is None

    def test_a_replica_out_of_sync(self):
        seen = cluster()
        seen.partitions[("orders", 0)] = replace(seen.partitions[("orders", 0)], isr=frozenset({1001, 1002}))
        with pytest.raises(NotInSync, match="1 partition that would be moved has replicas out of sync: orders/0"):
            run_plan(work(seen, "me", SILENT), plan(), TEN)

    def test_one_that_the_plan_does_not_touch_may_be(self):
        seen = cluster()
        seen.partitions[("quiet", 0)] = replace(seen.partitions[("quiet", 0)], isr=frozenset({1001, 1002}))
        run_plan(work(seen, "me", SILENT), plan(), TEN)
        assert placement_of(seen) == AFTER

    def test_a_broker_that_is_away(self):
        seen = cluster()
        seen.kill(1005)
        with pytest.raises(NotInSync, match="broker 1005 is away, and the plan needs it"):
            run_plan(work(seen, "me", SILENT), plan(), TEN)

    def test_another_state(self):
        seen = cluster({**BEFORE, ("orders", 0): (1002, 1001, 1003), ("new", 0): (1001, 1002, 1003)})
        with pytest.raises(PlanStale, match="1 partition moved: orders/0; 1 partition new: new/0"):
            run_plan(work(seen, "me", SILENT), plan(), TEN)

    def test_another_cluster(self):
        with pytest.raises(PlanStale, match="was made for Kafka cluster other; this is cluster-1"):
            run_plan(work(cluster(), "me", SILENT), replace(plan(), cluster_id="other"), TEN)

    def test_another_number_of_replicas_that_nobody_asked_for(self):
        fewer = with_step(plan(), ("orders", 0), (1004, 1002))
        with pytest.raises(PlanRefused, match=r"number of replicas of orders/0 \(from 3 to 2\)"):
            run_plan(work(cluster(), "me", SILENT), fewer, TEN)

    def test_and_one_that_was_asked_for(self):
        seen = cluster()
        fewer = replace(with_step(plan(), ("orders", 0), (1004, 1002)), is_replication_change=True)
        run_plan(work(seen, "me", SILENT), fewer, TEN)
        assert placement_of(seen)[("orders", 0)] == (1004, 1002)

    def test_a_broker_twice(self):
        with pytest.raises(PlanRefused, match="a broker stands twice"):
            run_plan(work(cluster(), "me", SILENT), with_step(plan(), ("orders", 0), (1004, 1004, 1002)), TEN)
