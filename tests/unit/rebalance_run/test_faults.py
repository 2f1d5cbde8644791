"""Brokers that die, topics that vanish, strangers who move partitions: waited for, told, or stopped with a way on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hdictl.errors import KafkaUnreachable, RebalanceStopped
from hdictl.ports.progress import Silent
from hdictl.rebalance.batches import batches
from hdictl.rebalance.throttle_wish import throttle_wish
from hdictl.workflow.rebalance.entry import require_free
from hdictl.workflow.rebalance.run import cancel, resume, run_plan
from tests.fakes.moving_cluster import MovingCluster, Placed, work
from tests.unit.rebalance_run.moves import AFTER, BEFORE, SILENT, TEN, cluster, differences, placement_of, plan


class Told(Silent):
    def __init__(self) -> None:
        self.lines: list[str] = []

    def step(self, message: str) -> None:
        self.lines.append(message)


def when_moving(seen: MovingCluster, act) -> None:
    """Once, as soon as something is on the move."""
    done: list[bool] = []

    def happens(_: MovingCluster) -> None:
        if seen.moves and not done:
            done.append(True)
            act()

    seen.happens = happens


def test_a_broker_that_comes_back_is_waited_for():
    seen, told = cluster(), Told()
    died: list[float] = []

    def happens(_: MovingCluster) -> None:
        if seen.moves and not died:
            seen.kill(1005)
            died.append(seen.clock)
        if died and seen.clock - died[0] > 120 and 1005 in seen.away:
            seen.revive(1005)

    seen.happens = happens
    run_plan(work(seen, "me", told), plan(), TEN)
    assert placement_of(seen) == AFTER
    assert differences(seen) == ()
    assert "waiting: broker 1005 is away; what it holds waits for it" in told.lines
    assert "all brokers are back" in told.lines


def test_one_that_stays_away_stops_it_with_a_way_on():
    seen = cluster()
    when_moving(seen, lambda: seen.kill(1005))
    with pytest.raises(RebalanceStopped) as stopped:
        run_plan(work(seen, "me", SILENT), plan(), TEN)
    assert "nothing has been gained for 900 s: broker 1005 is away" in stopped.value.what
    assert "1 of 5 partitions in place" in stopped.value.what
    assert "hdictl rebalance resume" in str(stopped.value.fix)
    seen.happens = None
    seen.revive(1005)
    resume(work(seen, "me", SILENT), None)
    assert placement_of(seen) == AFTER
    assert differences(seen) == ()


def test_no_batch_begins_while_what_it_touches_is_not_in_sync():
    seen, told = cluster(), Told()
    is_behind: list[bool] = []

    def happens(_: MovingCluster) -> None:
        """One falls behind that the last batch touches; nothing of that batch may move before it has caught up."""
        if seen.moves and not is_behind:
            is_behind.append(True)
            seen.partitions[("views", 1)] = Placed((1001, 1003, 1002), frozenset({1001, 1003}), 1001)
        if len(is_behind) == 1 and any("views/1" in line for line in told.lines):
            is_behind.append(True)
            seen.partitions[("views", 1)] = Placed((1001, 1003, 1002), frozenset({1001, 1003, 1002}), 1001)

    seen.happens = happens
    run_plan(work(seen, "me", told), plan(), TEN)
    assert "waiting: 1 partition is not in sync: views/1" in told.lines
    assert differences(seen) == ()


def test_called_off_with_a_broker_away_says_what_is_left():
    seen = cluster()
    when_moving(seen, lambda: seen.kill(1005))
    with pytest.raises(RebalanceStopped):
        run_plan(work(seen, "me", SILENT), plan(), TEN)
    with pytest.raises(RebalanceStopped, match=r"the throttle of broker 1005 cannot be put back \(it is away\)"):
        cancel(work(seen, "me", SILENT))
    assert not seen.moves
    assert not any(seen.topic_settings.values())
    assert {id for id, settings in seen.broker_settings.items() if settings} == {1005}
    seen.happens = None
    seen.revive(1005)
    outcome = resume(work(seen, "me", SILENT), None)
    assert outcome.run.phase == "cancelled"
    assert differences(seen) == ()


def test_what_is_called_off_keeps_its_old_order():
    seen = cluster()
    when_moving(seen, lambda: seen.kill(1005))
    with pytest.raises(RebalanceStopped):
        run_plan(work(seen, "me", SILENT), plan(), TEN)
    seen.happens = None
    seen.revive(1005)
    seen.kill(1006)
    seen.revive(1006)
    cancel(work(seen, "me", SILENT))
    assert all(replicas in (BEFORE[key], AFTER[key]) for key, replicas in placement_of(seen).items())


def test_a_topic_that_is_deleted_meanwhile_is_no_trouble():
    seen = cluster()

    def delete() -> None:
        for key in [key for key in seen.partitions if key[0] == "views"]:
            del seen.partitions[key]
            seen.moves.pop(key, None)

    when_moving(seen, delete)
    outcome = run_plan(work(seen, "me", SILENT), plan(), TEN)
    assert (len(outcome.stands.done), len(outcome.stands.gone)) == (3, 2)
    assert differences(seen) == ()


def test_nor_is_one_that_was_deleted_before_its_batch_began():
    seen = cluster()
    seen.size = 12_000_000_000
    large = plan()  # whose first batch is full without the topic to be deleted
    sizes = {"orders": seen.size, "views": 3 * seen.size}
    large = replace(large, steps=tuple(replace(step, size=sizes[step.topic]) for step in large.steps))
    assert "views" not in {step.topic for step in batches(large)[0].steps}

    def delete() -> None:
        del seen.partitions[("views", 0)], seen.partitions[("views", 1)]

    when_moving(seen, delete)
    run_plan(work(seen, "me", SILENT), large, throttle_wish("100MB"))
    assert {key: replicas for key, replicas in AFTER.items() if key[0] != "views"} == placement_of(seen)


def test_a_stranger_who_moves_the_same_partition_stops_it():
    seen = cluster()
    when_moving(seen, lambda: seen.reassign({("orders", 0): (1001, 1002, 1006)}))
    with pytest.raises(RebalanceStopped, match="orders/0 did not stay where they were moved to"):
        run_plan(work(seen, "me", SILENT), plan(), TEN)
    with pytest.raises(RebalanceStopped, match="1 partition was moved elsewhere by somebody else: orders/0"):
        resume(work(seen, "me", SILENT), None)
    outcome = cancel(work(seen, "me", SILENT))
    assert outcome.run.phase == "cancelled"


def test_moves_of_somebody_else_are_watched_to_their_end():
    seen = cluster()
    seen.reassign({("quiet", 0): (1004, 1005, 1006)})
    require_free(work(seen, "me", SILENT), adopt=True)
    assert not seen.moves


def test_nobody_who_answers_is_waited_for():
    seen = cluster()
    silent_until: list[float] = []
    ongoing = seen.ongoing

    def sometimes():
        if seen.moves and not silent_until:
            silent_until.append(seen.clock + 30)
        if silent_until and seen.clock < silent_until[0]:
            raise KafkaUnreachable("no broker answers")
        return ongoing()

    seen.ongoing = sometimes  # type: ignore[method-assign]
    run_plan(work(seen, "me", SILENT), plan(), TEN)
    assert placement_of(seen) == AFTER


def test_auto_slows_down_in_trouble_and_goes_on():
    seen, told = cluster(), Told()
    seen.size = 4_000_000_000
    fell: list[float] = []

    def happens(_: MovingCluster) -> None:
        if seen.moves and not fell:
            fell.append(seen.clock)
            seen.partitions[("quiet", 0)] = Placed((1001, 1002, 1003), frozenset({1001, 1002}), 1001)
        if fell and seen.clock - fell[0] > 10:
            seen.partitions[("quiet", 0)] = Placed((1001, 1002, 1003), frozenset({1001, 1002, 1003}), 1001)

    seen.happens = happens
    run_plan(work(seen, "me", told), plan(), throttle_wish("auto"))
    assert "throttle 25 MB/s: 1 partition has a replica that fell behind" in told.lines
    assert any("all is calm" in line for line in told.lines)
    assert placement_of(seen) == AFTER
    assert differences(seen) == ()
