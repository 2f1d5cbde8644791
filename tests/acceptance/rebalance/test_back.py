"""The ways back: cancel, rollback, Ctrl-C and then resume."""

from __future__ import annotations

from tests.acceptance.rebalance.cluster import wait_until


def test_cancel_in_the_middle(site):
    before, aim = site.living.placement(), site.mirrored()
    with site.under_load():
        running = site.start("run", site.plan(aim), "--yes", "--throttle", "2MB")
        wait_until("partitions are on their way", lambda: bool(site.living.under_way()))
        running.kill()
        site.rebalance("cancel", "--yes").ok()
    site.require_quiet()
    # Each partition is where it was or where it was going, never between.
    found = site.living.placement()
    assert [key for key, replicas in found.items() if replicas not in (before[key], aim[key])] == []
    assert found != aim
    assert site.living.behind() == set()
    site.rebalance("resume", "--yes").failed(1)


def test_rollback_goes_back_to_the_original(site):
    before, aim = site.living.placement(), site.mirrored()
    site.rebalance("run", site.plan(aim), "--yes").ok()
    site.require_settled(aim)
    site.rebalance("rollback", "--yes").ok()
    site.require_settled(before)
    site.rebalance("verify").ok()


def test_rollback_from_the_middle(site):
    before = site.living.placement()
    running = site.start("run", site.plan(site.mirrored()), "--yes", "--throttle", "2MB")
    wait_until("partitions are on their way", lambda: bool(site.living.under_way()))
    running.kill()
    site.rebalance("rollback", "--yes").ok()
    site.require_settled(before)


def test_ctrl_c_and_then_resume(site):
    aim = site.mirrored()
    interrupted = site.workspace.interrupted(
        *("rebalance", "run", site.plan(aim), "--yes", "--throttle", "4MB"), when=lambda: bool(site.living.under_way())
    )
    interrupted.failed(130, "hdictl rebalance resume", "hdictl rebalance cancel")
    site.rebalance("verify").failed(4)
    site.rebalance("resume", "--yes").ok()
    site.require_settled(aim)
    site.rebalance("verify").ok()
