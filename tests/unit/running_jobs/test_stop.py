"""Stopping: asked first, by force after a while, and what is left behind."""

from __future__ import annotations

import pytest

from hdictl.ports.job_driver import RUNNING, LivingJob
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


@pytest.mark.parametrize(("before", "after"), [("running", "stopped"), ("failed", "failed")])
def test_what_it_says_while_it_is_ended_is_not_its_own_failure(driver, before, after):
    """Its queries break off when Spark is told to end, and it may still say so."""
    driver.run("now", before)
    driver.on_kill = lambda: driver.say("failed", "now", error={"what": "a query broke off"})
    assert stop_job(driver, "orders", Silent(), timeout=0, clock=FakeClock().clock).was_killed
    assert status_of(driver, "orders", "orders").state == after


def test_a_run_that_somebody_has_started_meanwhile_is_not_touched(driver):
    """What was to be stopped is over; the new one did not hear of it."""
    driver.run("before")

    def happens(seconds: float) -> None:
        if seconds == 2:
            driver.files.delete(STOP)
            driver.say("running", "after")
            driver.living = LivingJob("8", RUNNING)

    stopped = stop_job(driver, "orders", Silent(), timeout=10, clock=FakeClock(happens).clock)
    assert (stopped.was_running, stopped.was_killed, stopped.seconds) == (True, False, 2.0)
    assert (driver.calls, driver.living.id) == ([], "8")


def test_a_marker_that_is_for_the_next_run_stays(driver):
    driver.run("before")

    def happens(_seconds: float) -> None:
        driver.files.write(STOP, b"")  # somebody asks the next one to stop
        driver.living = LivingJob("8", RUNNING)

    stop_job(driver, "orders", Silent(), timeout=10, clock=FakeClock(happens).clock)
    assert driver.files.read(STOP) == b""


def test_an_application_that_yarn_has_named_meanwhile_is_the_same_run(driver):
    driver.run("now")

    def happens(seconds: float) -> None:
        driver.living = LivingJob("7, application_1_2", RUNNING)

    stopped = stop_job(driver, "orders", Silent(), timeout=5, clock=FakeClock(happens).clock)
    assert (stopped.was_killed, stopped.seconds, driver.calls) == (True, 5.0, ["kill"])


def test_one_that_ends_by_itself_at_the_last_moment_was_not_killed(driver):
    """And what it said is what it said."""
    driver.run("now")

    class Late(Silent):
        def step(self, message: str) -> None:
            if "still at work" in message:
                driver.say("failed", "now", error={"what": "no room"})
                driver.end()

    stopped = stop_job(driver, "orders", Late(), timeout=5, clock=FakeClock().clock)
    assert (stopped.was_running, stopped.was_killed) == (True, False)
    assert status_of(driver, "orders", "orders").state == "failed"
    assert driver.files.read(STOP) is None


def test_a_marker_for_nobody_is_taken_away(driver):
    """Else the next run would stop at once."""
    driver.run("now")
    driver.end()
    driver.files.write(STOP, b"")
    stopped = stop_job(driver, "orders", Silent(), timeout=60, clock=FakeClock().clock)
    assert (stopped.was_running, stopped.was_killed, stopped.seconds) == (False, False, 0.0)
    assert driver.files.read(STOP) is None
