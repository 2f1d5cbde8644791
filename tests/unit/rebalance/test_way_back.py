"""The plan that leads back, from wherever a rebalance ended."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hdictl.errors import PlanStale
from hdictl.rebalance.plan import Spread
from hdictl.rebalance.snapshot import Broker, Partition, make_snapshot
from hdictl.rebalance.way_back import way_back
from hdictl.show.rebalance_words import kind_text
from tests.unit.rebalance_run.moves import AFTER, BEFORE, plan

BROKERS = [Broker(1001 + number, free=7) for number in range(6)]


def snapshot(placement):
    return make_snapshot(BROKERS, [Partition(*key, replicas, size=5) for key, replicas in placement.items()])


def test_all_the_way():
    back = way_back(plan(), snapshot(AFTER))
    assert back.placement == BEFORE
    assert (back.moves, back.bytes) == (plan().moves, plan().moves * 5)
    assert back.certificate.moves == back.moves
    assert {change.broker.id: change.after.leaders for change in back.brokers} == {
        1001: 4, 1002: 1, 1003: 1, 1004: 0, 1005: 0, 1006: 0
    }  # fmt: skip


def test_from_half_way_only_what_had_moved():
    half = {**BEFORE, ("orders", 0): AFTER[("orders", 0)]}
    assert [step.key for step in way_back(plan(), snapshot(half)).steps] == [("orders", 0)]


def test_both_ends_are_measured_as_they_are():
    """Called off half-way: the plan knew how all would be at its end, and nobody came there."""
    half = {**BEFORE, ("orders", 0): (1004, 1005, 1006)}
    made = replace(plan(BEFORE, {**AFTER, ("orders", 0): (1004, 1005, 1006)}), spread=Spread(0, 0, 0, 0))
    back = way_back(made, snapshot(half))
    # 18 replicas on six brokers are three for each; six partitions, one leader each.
    assert (back.spread_before.replicas, back.spread.replicas) == (2, 3)
    assert (back.spread_before.leaders, back.spread.leaders) == (2, 3)
    assert {change.fair_replicas for change in back.brokers} == {3}


def test_violations_of_domains_are_counted_at_both_ends():
    brokers = [Broker(1001 + number, fd=number % 3, ud=number % 3) for number in range(6)]
    before, after = {("orders", 0): (1001, 1004, 1002)}, {("orders", 0): (1001, 1002, 1003)}
    now = make_snapshot(brokers, [Partition("orders", 0, (1001, 1002, 1003))])
    back = way_back(plan(before, after), now)
    assert (len(back.violations_before), len(back.violations)) == (0, 2)


def test_it_is_called_a_rollback():
    back = way_back(plan(), snapshot(AFTER))
    assert (back.kind, kind_text(back.kind)) == ("rollback", "rollback of the last rebalance")


def test_topics_that_are_new_stay_and_those_gone_are_gone():
    now = {**AFTER, ("new", 0): (1004, 1005, 1006)}
    del now[("views", 0)]
    back = way_back(plan(), snapshot(now))
    assert back.placement[("new", 0)] == (1004, 1005, 1006)
    assert ("views", 0) not in back.placement


def test_what_somebody_else_moved_since_is_not_ours():
    with pytest.raises(PlanStale, match="1 partition was moved by somebody else since, quiet/0 for one"):
        way_back(plan(), snapshot({**AFTER, ("quiet", 0): (1004, 1005, 1006)}))
