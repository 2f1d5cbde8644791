"""One rebalance at a time, also from two machines, also after somebody died."""

from __future__ import annotations

import pytest

from hdictl.errors import RebalanceBusy
from hdictl.rebalance.lease import LEASE_MS
from hdictl.workflow.rebalance.run import cancel, resume, run_plan
from tests.fakes.moving_cluster import MovingCluster, work
from tests.unit.rebalance_run.moves import (
    AFTER,
    SILENT,
    TEN,
    cluster,
    differences,
    killed_while_moving,
    placement_of,
    plan,
)
from tests.unit.rebalance_run.test_faults import Told


def elsewhere(seen: MovingCluster, told: Told, **claim):
    """On another machine nobody can see whether the process still runs."""
    return work(seen, "other", told, machine="there", is_gone=lambda _: False, **claim)


def test_a_killed_one_on_another_machine_is_waited_for_until_its_lease_is_over():
    seen, told = killed_while_moving(), Told()
    began = seen.clock
    resume(elsewhere(seen, told, waits=True), None)
    assert "process 1 on here is at work, or was killed: waiting 30 s for its lease to run out" in told.lines
    assert seen.clock - began >= LEASE_MS / 1000 - 5
    assert placement_of(seen) == AFTER
    assert differences(seen) == ()


def test_taken_over_it_is_not():
    seen, told = killed_while_moving(), Told()
    resume(elsewhere(seen, told, take_over=True), None)
    assert told.lines[0] == "process 1 on here is told to stop"
    assert placement_of(seen) == AFTER


def test_on_the_same_machine_it_is_seen_to_be_dead():
    seen, told = killed_while_moving(), Told()
    resume(work(seen, "next", told), None)
    assert told.lines[0] == "process 1 on here has ended without finishing: going on in its place"


def test_one_that_lives_elsewhere_is_not_disturbed():
    seen, told = cluster(), Told()
    tried: list[bool] = []

    def happens(_: MovingCluster) -> None:
        if seen.moves and not tried:
            tried.append(True)
            with pytest.raises(RebalanceBusy, match="process 1 on here is at work"):
                resume(elsewhere(seen, told, waits=False), None)

    seen.happens = happens
    run_plan(work(seen, "first", SILENT), plan(), TEN)
    assert tried
    assert differences(seen) == ()


def test_who_is_taken_over_stops_and_changes_nothing_more():
    seen = cluster()
    tried: list[bool] = []

    def happens(_: MovingCluster) -> None:
        if seen.moves and not tried:
            tried.append(True)
            seen.happens = None
            cancel(work(seen, "second", SILENT, take_over=True, is_gone=lambda _: True))

    seen.happens = happens
    with pytest.raises(RebalanceBusy, match="nothing more is done here"):
        run_plan(work(seen, "first", SILENT), plan(), TEN)
    assert seen.read().run is not None and seen.read().run.phase == "cancelled"
    assert not seen.moves
    assert differences(seen) == ()
