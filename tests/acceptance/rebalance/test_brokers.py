"""A broker dies in the middle of a rebalance: it waits, goes on when the broker is back, and never makes it worse."""

from __future__ import annotations

from tests.acceptance.rebalance.cluster import wait_until
from tests.acceptance.rebalance.site import BUSY, TOPICS, Site


def test_a_broker_dies_in_the_middle_and_comes_back(site):
    aim = site.mirrored()
    with site.under_load(with_a_crash=True):
        running = site.start("run", site.plan(aim), "--yes", "--throttle", "2MB")
        wait_until("partitions are on their way", lambda: bool(site.living.under_way()))
        crash(site, 1005)
        site.workspace.run("local", "restart-broker", "ingest", "1005").ok()
        ended = running.ended().ok()
    assert "waiting: broker 1005 is away; what it holds waits for it" in ended.err
    assert "all brokers are back" in ended.err
    # Leaders of what it did not move are no business of a rebalance.
    assert {topic for topic, _ in site.living.led_by_others()} <= set(TOPICS) - set(BUSY) | {"__consumer_offsets"}
    site.rebalance("verify").ok()
    site.heal()
    site.require_settled(aim)


def test_cancel_while_a_broker_is_away(site):
    before, aim = site.living.placement(), site.mirrored()
    running = site.start("run", site.plan(aim), "--yes", "--throttle", "1MB")
    wait_until("partitions are on their way", lambda: bool(site.living.under_way()))
    running.kill()
    crash(site, 1006)
    cancelling = site.start("cancel", "--yes")
    wait_until("nothing is under way", lambda: not site.living.under_way())
    site.workspace.run("local", "restart-broker", "ingest", "1006").ok()
    cancelling.ended().ok()
    site.rebalance("verify").ok()
    site.heal()
    found = site.living.placement()
    assert [key for key, replicas in found.items() if replicas not in (before[key], aim[key])] == []
    site.require_settled(found)


def crash(site: Site, broker: int) -> None:
    site.workspace.run("local", "kill-broker", "ingest", str(broker)).ok()
    wait_until("Kafka has noticed", lambda: all(broker not in each.isr for each in site.living.state().values()))
