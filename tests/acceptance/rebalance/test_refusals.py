"""What a rebalance refuses before it touches anything, in which words."""

from __future__ import annotations

from collections.abc import Collection

from hdictl.rebalance.snapshot import PartitionKey
from tests.acceptance.rebalance.cluster import Throttles, wait_until
from tests.acceptance.rebalance.load import fill
from tests.acceptance.rebalance.site import Site

ORDERS = ("orders", 0)


def test_one_at_a_time_and_cancel_stops_it(site):
    before, aim = site.living.placement(), site.mirrored()
    plan = site.plan(aim)
    first = site.start("run", plan, "--yes", "--throttle", "1MB")
    wait_until("the first is at work", lambda: bool(site.living.under_way()))
    site.rebalance("run", plan, "--yes").failed(
        1,
        "E346",
        f"is under way, at `moving`, batch 1 of 1: process {first.pid} on ",
        "wait for it: hdictl rebalance status",
    )
    site.rebalance("resume", "--yes").failed(
        1, "E346", f"a rebalance of this cluster is under way: process {first.pid} on ", "resume --take-over"
    )
    assert first.is_alive
    site.rebalance("cancel", "--yes").ok()
    first.ended().failed(1, "E346", "has taken this rebalance over; nothing more is done here")
    site.require_settled(site.living.placement())
    assert [key for key, replicas in site.living.placement().items() if replicas not in (before[key], aim[key])] == []


def test_moves_of_somebody_else_are_left_alone_or_adopted(site):
    here, aim = site.living.placement(), site.mirrored()
    plan = site.plan({**aim, ORDERS: here[ORDERS]})
    site.living.reassign({ORDERS: aim[ORDERS]})
    wait_until("it has moved", lambda: not site.living.under_way())
    # Back to where the plan expects it, by somebody else and slowly.
    slowed = slow_move(site, ORDERS, here[ORDERS])
    site.rebalance("run", plan, "--yes").failed(
        1, "E343", "1 partition is being moved by somebody else: orders/0", "go on with: --adopt"
    )
    assert set(site.living.under_way()) == {ORDERS}
    assert site.living.throttles() == slowed

    adopting = site.start("run", plan, "--yes", "--adopt")
    wait_until("it waits", lambda: adopting.has_said("waiting: 1 partition is moved by somebody else: orders/0"))
    site.clear_throttles()
    adopting.ended().ok()
    site.require_settled({**aim, ORDERS: here[ORDERS]})


def test_a_plan_made_from_another_state(site):
    plan, moved = site.plan(site.mirrored()), {ORDERS: site.mirrored()[ORDERS]}
    site.living.reassign(moved)
    wait_until("it has moved", lambda: not site.living.under_way())
    site.rebalance("run", plan, "--yes").failed(
        1,
        "E121",
        "the cluster is not as it was when the plan was made: 1 partition moved: orders/0",
        "plan again: hdictl rebalance plan",
    )
    site.require_quiet()


def test_another_number_of_replicas_that_nobody_asked_for(site):
    before = site.living.placement()
    site.rebalance("run", site.plan({**before, ORDERS: before[ORDERS][:2]}), "--yes").failed(
        1,
        "E120",
        "the plan changes the number of replicas of orders/0 (from 3 to 2), and nobody asked for that",
        "ask for it: hdictl rebalance plan --replication TOPIC=N",
    )
    assert site.living.placement() == before
    site.require_quiet()


def test_a_broker_that_is_away_and_a_replica_that_is_behind(site):
    before = site.living.placement()
    leader, follower, lagging = before[ORDERS]
    plan = site.plan({**before, ORDERS: (follower, leader, lagging)})
    # Throttled to nothing, its replica stays behind when the broker is back.
    slow_down(site, ORDERS, [lagging])
    site.workspace.run("local", "kill-broker", "ingest", str(lagging)).ok()
    wait_until("the cluster has seen it", lambda: lagging not in site.living.state()[ORDERS].isr)
    site.rebalance("run", plan, "--yes").failed(
        1, "E344", f"broker {lagging} is away, and the plan needs it", "start it, or plan again without it"
    )

    fill(site.living.bootstrap, {"orders": 1}, 5)
    site.workspace.run("local", "restart-broker", "ingest", str(lagging)).ok()
    wait_until("all others are in sync", lambda: site.living.behind() == {ORDERS})
    site.rebalance("run", plan, "--yes").failed(
        1,
        "E344",
        "1 partition that would be moved has replicas out of sync: orders/0",
        "wait until they have caught up",
    )
    assert site.living.under_way() == {}
    assert site.living.placement() == before
    site.clear_throttles()
    site.heal()


def slow_move(site: Site, partition: PartitionKey, to: tuple[int, ...]) -> Throttles:
    """A move of somebody else that does not end by itself, and the throttles that hold it up."""
    slow_down(site, partition, to)
    site.living.reassign({partition: to})
    assert partition in site.living.under_way()
    return site.living.throttles()


def slow_down(site: Site, partition: PartitionKey, receivers: Collection[int]) -> None:
    for broker in receivers:
        site.living.set_throttle("broker", str(broker), {"follower.replication.throttled.rate": "1"})
    named = ",".join(f"{partition[1]}:{broker}" for broker in receivers)
    site.living.set_throttle("topic", partition[0], {"follower.replication.throttled.replicas": named})
