"""kill -9 at points all over a rebalance under load: `resume`, here or on another machine, ends each of them."""

from __future__ import annotations

import random
import time

import pytest

from tests.acceptance.rebalance.cluster import wait_until
from tests.acceptance.rebalance.site import Placement, Site
from tests.kills import KILLS

SEED = 3202
THROTTLE = ("--throttle", "8MB")


@pytest.mark.slow
def test_a_run_that_is_killed_anywhere_is_resumed(site, tmp_path):
    chance = random.Random(SEED)
    with site.under_load():
        whole = seconds_of_a_run(site)
        for number in range(KILLS):
            # Spread over the whole run, and nowhere twice.
            before = site.living.placement()
            aim = killed_run(site, whole * (number + chance.random()) / KILLS)
            machine = site.another_machine(tmp_path / f"machine-{number}") if number % 2 else site.workspace
            resumed = site.rebalance("resume", "--yes", *THROTTLE, on=machine)
            if resumed.code:
                # Killed before its plan was in the journal, or after all was done.
                resumed.failed(1, "E345", "there is no rebalance to go on with: the last one, ", " is finished")
                aim = min((before, aim), key=lambda ends: ends != site.living.placement())
            site.require_settled(aim)
            site.rebalance("verify", on=machine).ok()


def test_a_resume_that_is_killed_is_resumed(site):
    aim = killed_run(site, 1.0)
    before, resuming = site.living.journal_end(), site.start("resume", "--yes", *THROTTLE)
    wait_until("the journal goes on", lambda: site.living.journal_end() > before)
    resuming.kill()
    site.rebalance("resume", "--yes", *THROTTLE).ok()
    site.require_settled(aim)


def seconds_of_a_run(site: Site) -> float:
    """From the first word in the journal to the end, undisturbed."""
    aim, before = site.mirrored(), site.living.journal_end()
    running = site.start("run", site.plan(aim), "--yes", *THROTTLE)
    wait_until("the journal begins", lambda: site.living.journal_end() > before)
    began = time.monotonic()
    running.ended().ok()
    site.require_settled(aim)
    return time.monotonic() - began


def killed_run(site: Site, seconds: float) -> Placement:
    """A run that was killed so long after the first word in the journal; where it was going."""
    for _ in range(4):
        aim, before = site.mirrored(), site.living.journal_end()
        running = site.start("run", site.plan(aim), "--yes", *THROTTLE)
        wait_until("the journal begins", lambda before=before: site.living.journal_end() > before)
        time.sleep(seconds)
        was_running = running.is_alive
        ended = running.kill()
        if was_running:
            return aim
        # It was quicker than the one that was measured.
        ended.ok()
        seconds *= 0.8
    raise AssertionError("it always ended before it could be killed")
