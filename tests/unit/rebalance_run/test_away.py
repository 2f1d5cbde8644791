"""A broker that is away and holds replicas: no plan is made, a snapshot says so."""

from __future__ import annotations

import pytest

from hdictl.commands.rebalance_session import planned
from hdictl.errors import NotInSync
from hdictl.rebalance.wishes import Wishes
from hdictl.workflow.rebalance.observe import observe_snapshot
from tests.fakes.moving_cluster import MovingCluster, work
from tests.unit.rebalance_run.moves import SILENT, cluster


def without(*brokers: int) -> MovingCluster:
    seen = cluster()
    for broker in brokers:
        seen.kill(broker)
    return seen


@pytest.mark.parametrize("wishes", [Wishes(), Wishes(drain=frozenset({1002})), Wishes(no_domains=True)])
def test_no_plan_is_made(wishes: Wishes):
    with pytest.raises(NotInSync, match="broker 1002 is away, and holds replicas of 6 partitions") as away:
        planned(work(without(1002), "me", SILENT), wishes)
    assert away.value.fix == "see why: hdictl status; start it, then plan again"


def test_of_two_both_are_named():
    with pytest.raises(NotInSync, match="brokers 1002, 1003 are away, and hold replicas of 6 partitions"):
        planned(work(without(1003, 1002), "me", SILENT), Wishes())


def test_one_that_holds_nothing_is_not_missed():
    assert planned(work(without(1006), "me", SILENT), Wishes(no_domains=True)).steps


def test_a_snapshot_has_it_and_says_so():
    looker = work(without(1002), "me", SILENT)
    snapshot, warnings = observe_snapshot(looker.target, "ingest", SILENT)
    assert 1002 in snapshot.broker_ids
    assert warnings == ("broker 1002 is away, and holds replicas of 6 partitions",)
