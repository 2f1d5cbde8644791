"""A broker dies in the middle of a rebalance: it waits, goes on when the broker is back, and never makes it worse."""

from __future__ import annotations

from tests.acceptance.rebalance.cluster import wait_until


def test_a_broker_dies_in_the_middle_and_comes_back(site):
    aim = site.mirrored()
    with site.under_load(with_a_crash=True):
        running = site.start("run", site.plan(aim), "--yes", "--throttle", "2MB")
        wait_until("partitions are on their way", lambda: bool(site.living.under_way()))
        site.workspace.run("local", "kill-broker", "ingest", "1005").ok()
        wait_until(
            "the cluster has seen it", lambda: all(1005 not in each.isr for each in site.living.state().values())
        )
        site.workspace.run("local", "restart-broker", "ingest", "1005").ok()
        out, err = running.communicate(timeout=180)
        assert running.returncode == 0, out + err
    assert "waiting: broker 1005 is away; what it holds waits for it" in err
    site.require_settled(aim)
    site.rebalance("verify").ok()


def test_cancel_with_a_broker_away(site):
    running = site.start("run", site.plan(site.mirrored()), "--yes", "--throttle", "1MB")
    wait_until("partitions are on their way", lambda: bool(site.living.under_way()))
    running.kill()
    running.communicate(timeout=30)
    site.workspace.run("local", "kill-broker", "ingest", "1006").ok()
    wait_until("the cluster has seen it", lambda: all(1006 not in each.isr for each in site.living.state().values()))
    cancelling = site.start("cancel", "--yes")
    wait_until("nothing is under way", lambda: not site.living.under_way())
    site.workspace.run("local", "restart-broker", "ingest", "1006").ok()
    out, err = cancelling.communicate(timeout=120)
    assert cancelling.returncode == 0, out + err
    wait_until("it is in sync again", lambda: not site.living.behind())
    site.require_quiet()
