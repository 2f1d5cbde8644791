"""Killed at every single request, before and after it reached the cluster: what follows comes to the same end."""

from __future__ import annotations

import pytest

from hdictl.errors import Interrupted, RebalanceBusy
from hdictl.rebalance.throttle import RATES
from hdictl.workflow.rebalance.run import cancel, resume, run_plan
from tests.fakes.moving_cluster import Killed, Line, MovingCluster, work
from tests.unit.rebalance_run.moves import (
    AFTER,
    BEFORE,
    SILENT,
    TEN,
    cluster,
    differences,
    killed_while_moving,
    placement_of,
    plan,
)


def requests_of_a_whole_run() -> int:
    seen = cluster()
    line = Line(seen)
    run_plan(work(seen, "whole", SILENT, line), plan(), TEN)
    return line.requests


WHOLE = requests_of_a_whole_run()


def killed_at(fuse: int, *, reaches: bool) -> MovingCluster:
    seen = cluster()
    seen.broker_settings = {1002: {RATES[0]: "5"}}
    with pytest.raises(Killed):
        run_plan(work(seen, "dead", SILENT, Line(seen, fuse, reaches=reaches)), plan(), TEN)
    return seen


def require_as_before(seen: MovingCluster) -> None:
    assert differences(seen) == ()
    assert {id: settings for id, settings in seen.broker_settings.items() if settings} == {1002: {RATES[0]: "5"}}
    assert not seen.moves
    assert seen.least_isr >= 2


@pytest.mark.parametrize("reaches", [True, False], ids=["reached", "lost"])
def test_resumed_from_anywhere(reaches: bool):
    begun = 0
    for fuse in range(1, WHOLE):
        seen = killed_at(fuse, reaches=reaches)
        seen.pass_time(3)  # Kafka goes on meanwhile
        if seen.read().unfinished is None and seen.read().run is None:
            run_plan(work(seen, "next", SILENT), plan(), TEN)
        elif seen.read().unfinished is not None:
            begun += 1
            resume(work(seen, "next", SILENT), None)
        assert placement_of(seen) == AFTER, fuse
        require_as_before(seen)
    assert begun > WHOLE / 2


@pytest.mark.parametrize("reaches", [True, False], ids=["reached", "lost"])
def test_called_off_from_anywhere(reaches: bool):
    for fuse in range(1, WHOLE):
        seen = killed_at(fuse, reaches=reaches)
        if seen.read().unfinished is None:
            continue
        cancel(work(seen, "next", SILENT))
        for key, replicas in placement_of(seen).items():
            assert replicas in (BEFORE[key], AFTER[key]), fuse
        require_as_before(seen)


def test_a_move_whose_end_the_brokers_have_yet_to_hear_of_is_no_stranger_s():
    """The controller's list of moves is empty at once; what brokers say of replicas follows."""
    seen = killed_while_moving()
    before = seen.placement()
    assert any(len(placed.replicas) > 3 for placed in before.partitions.values())
    seen.pass_time(60)
    assert not seen.ongoing()
    seen.old_news = (before, seen.clock + 2)
    resume(work(seen, "next", SILENT), None)
    assert placement_of(seen) == AFTER
    assert differences(seen) == ()


def test_killed_again_and_again():
    """Every process lives for a few requests more than the one before; none of them gets far alone."""
    seen = killed_at(WHOLE // 3, reaches=True)
    seen.broker_settings.setdefault(1002, {})
    for fuse in range(8, 400, 3):
        if seen.read().unfinished is None:
            break
        try:
            resume(work(seen, f"life {fuse}", SILENT, Line(seen, fuse)), None)
        except Killed:
            continue
    assert placement_of(seen) == AFTER
    require_as_before(seen)


def test_a_new_run_does_not_begin_beside_an_unfinished_one():
    seen = killed_while_moving()
    with pytest.raises(RebalanceBusy, match="is not finished: it is at `moving`, batch 1 of 2") as busy:
        run_plan(work(seen, "next", SILENT), plan(), TEN)
    assert "hdictl rebalance resume" in str(busy.value.fix)


def test_ctrl_c_leaves_throttles_while_something_moves_and_says_so():
    seen = cluster()
    seen.happens = interrupt_once(seen, lambda: bool(seen.moves))
    with pytest.raises(Interrupted, match="4 partitions go on moving, with their throttles; 0 of 5") as interrupted:
        run_plan(work(seen, "me", SILENT), plan(), TEN)
    assert "hdictl rebalance resume" in str(interrupted.value.fix)
    assert any(seen.broker_settings.values())
    seen.happens = None
    resume(work(seen, "other", SILENT, is_gone=lambda _: False, machine="there"), None)
    assert placement_of(seen) == AFTER
    assert differences(seen) == ()


def test_ctrl_c_puts_throttles_back_when_nothing_moves():
    seen = cluster()
    seen.size = 1
    seen.kill(1006)
    seen.revive(1006)
    seen.happens = interrupt_once(seen, lambda: any(seen.broker_settings.values()) and not seen.moves)
    with pytest.raises(Interrupted, match="nothing moves any more, throttles are as they were"):
        run_plan(work(seen, "me", SILENT), plan(), TEN)
    assert not any(seen.broker_settings.values())


def interrupt_once(seen: MovingCluster, when):
    is_over: list[bool] = []

    def happens(_: MovingCluster) -> None:
        if when() and not is_over:
            is_over.append(True)
            raise KeyboardInterrupt

    return happens
