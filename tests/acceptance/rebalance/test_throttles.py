"""Throttles: exactly the moving replicas, back to what was there before, and one that finds its own rate."""

from __future__ import annotations

from tests.acceptance.rebalance.cluster import wait_until
from tests.acceptance.rebalance.site import Placement

SENDERS, RECEIVERS = "leader.replication.throttled.replicas", "follower.replication.throttled.replicas"
RATES = ("leader.replication.throttled.rate", "follower.replication.throttled.rate")


def test_exactly_what_moves_is_throttled(site):
    before = site.living.placement()
    aim = {**before, **{key: after for key, after in site.mirrored().items() if key[0] == "orders"}}
    throttles = {("broker", str(broker)): dict.fromkeys(RATES, "4000000") for broker in range(1001, 1007)}
    throttles["topic", "orders"] = {SENDERS: named(before), RECEIVERS: named(aim)}
    running = site.start("run", site.plan(aim), "--yes", "--throttle", "4MB")
    # A broker hears of its own settings through ZooKeeper, a moment later.
    wait_until("these and no others are throttled", lambda: site.living.throttles() == throttles)
    running.ended().ok()
    site.require_settled(aim)


def test_what_was_there_before_comes_back(site):
    aim = site.mirrored()
    site.living.set_throttle("broker", "1002", {RATES[0]: "77777777"})
    site.living.set_throttle("topic", "orders", {RECEIVERS: "5:1001"})
    site.living.set_throttle("topic", "clicks", {SENDERS: "*"})
    # Of a topic that is not moved at all.
    site.living.set_throttle("topic", "archive", {SENDERS: "7:1001"})
    found = site.living.throttles()
    assert len(found) == 4
    site.rebalance("run", site.plan(aim), "--yes", "--throttle", "40MB").ok()
    assert site.living.throttles() == found
    site.rebalance("verify").ok()
    site.clear_throttles()
    site.require_settled(aim)


def test_auto_under_load(site):
    aim = site.mirrored()
    with site.under_load():
        site.rebalance("run", site.plan(aim), "--yes", "--throttle", "auto").ok()
    site.require_settled(aim)


def test_none(site):
    aim = site.mirrored()
    site.rebalance("run", site.plan(aim), "--yes", "--throttle", "none").ok()
    site.require_settled(aim)


def named(placement: Placement) -> str:
    replicas = [
        (partition, replicas) for (topic, partition), replicas in sorted(placement.items()) if topic == "orders"
    ]
    return ",".join(f"{partition}:{broker}" for partition, brokers in replicas for broker in brokers)
