"""Stopping: asked first, by force after a while, and what is left behind."""

from __future__ import annotations

import pytest

from hdictl.ports.progress import Silent
from hdictl.streaming.state import STOP
from hdictl.workflow.jobs.status import status_of
from hdictl.workflow.jobs.stop import stop_job
from tests.fakes.jobs import FakeClock


def test_it_is_asked_and_waited_for(driver):
    driver.run("now")

    def happens(seconds: float) -> None:
        assert driver.files.read(STOP) == b""
        assert status_of(driver, "orders", "orders").state == "stopping"
        if seconds >= 3:
            driver.say("stopped", "now")
            driver.end()

    stopped = stop_job(driver, "orders", Silent(), timeout=60, clock=FakeClock(happens).clock)
    assert (stopped.was_running, stopped.was_killed, stopped.seconds) == (True, False, 3.0)
    assert driver.calls == []
    assert driver.files.read(STOP) is None
    assert status_of(driver, "orders", "orders").state == "stopped"


@pytest.mark.parametrize("timeout", [0, 10])
def test_one_that_does_not_listen_is_ended(driver, timeout):
    driver.run("now")
    clock = FakeClock()
    stopped = stop_job(driver, "orders", Silent(), timeout=timeout, clock=clock.clock)
    assert (stopped.was_running, stopped.was_killed, stopped.seconds) == (True, True, timeout)
    assert driver.calls == ["kill"]
    assert driver.files.read(STOP) is None
    # It was no accident, though it could not say so.
    assert status_of(driver, "orders", "orders").state == "stopped"


def test_a_marker_for_nobody_is_taken_away(driver):
    """Else the next run would stop at once."""
    driver.run("now")
    driver.end()
    driver.files.write(STOP, b"")
    stopped = stop_job(driver, "orders", Silent(), timeout=60, clock=FakeClock().clock)
    assert (stopped.was_running, stopped.was_killed, stopped.seconds) == (False, False, 0.0)
    assert driver.files.read(STOP) is None
