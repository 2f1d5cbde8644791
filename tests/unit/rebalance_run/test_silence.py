"""A broker that died a moment ago, so that nobody has noticed: it does not tell its throttles."""

from __future__ import annotations

import pytest

from hdictl.errors import RebalanceStopped
from hdictl.rebalance.throttle import RATES
from hdictl.workflow.rebalance.run import cancel, resume, run_plan
from tests.fakes.moving_cluster import MovingCluster, work
from tests.unit.rebalance_run.moves import AFTER, BEFORE, SILENT, TEN, cluster, differences, placement_of, plan
from tests.unit.rebalance_run.test_faults import Told


def with_a_silent_broker() -> MovingCluster:
    """Somebody has throttled that one broker before."""
    seen = cluster()
    seen.broker_settings = {1005: {RATES[0]: "777"}}
    seen.silent = {1005}
    return seen


def test_it_is_waited_for():
    seen, told = with_a_silent_broker(), Told()
    began = seen.clock

    def happens(_: MovingCluster) -> None:
        if seen.clock - began > 60:
            seen.silent = set()

    seen.happens = happens
    run_plan(work(seen, "me", told), plan(), TEN)
    assert "waiting: broker 1005 does not answer" in told.lines
    assert placement_of(seen) == AFTER
    assert seen.broker_settings[1005] == {RATES[0]: "777"}
    assert differences(seen) == ()


def stopped_by_silence() -> MovingCluster:
    seen = with_a_silent_broker()
    with pytest.raises(RebalanceStopped, match="broker 1005 does not answer, after 900 s"):
        run_plan(work(seen, "me", SILENT), plan(), TEN)
    assert seen.read().found() is None
    return seen


def test_what_it_stopped_is_resumed_when_it_is_back():
    seen = stopped_by_silence()
    seen.silent = set()
    resume(work(seen, "me", SILENT), None)
    assert placement_of(seen) == AFTER
    assert seen.broker_settings[1005] == {RATES[0]: "777"}
    assert differences(seen) == ()


def test_or_called_off_without_it_and_its_throttle_stays():
    seen = stopped_by_silence()
    assert cancel(work(seen, "me", SILENT)).run.phase == "cancelled"
    seen.silent = set()
    assert placement_of(seen) == BEFORE
    assert seen.broker_settings[1005] == {RATES[0]: "777"}
