"""What submitting comes to: nothing, a start, or a stop and a start."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from hdictl.errors import (
    EXIT_FAILED,
    Interrupted,
    JobExists,
    JobRefused,
    LivyFailed,
    Locked,
    SparkFailed,
    StillStarting,
)
from hdictl.ports.job_driver import RUNNING
from hdictl.ports.progress import Silent
from hdictl.streaming.outcomes import RESTARTED, STARTED, UNCHANGED
from hdictl.streaming.state import BOARD, BOARD_DRAFT, STOP, SUBMITTED
from hdictl.workflow.jobs.package import to_package
from hdictl.workflow.jobs.submit import Patience, submit_job
from tests.fakes.jobs import FakeClock, FakeJobs, bound_job
from tests.fakes.small_pipeline import BINDING


def submit(driver: FakeJobs, bound: Any, clock: FakeClock | None = None, **more: Any) -> Any:
    patience = Patience(stop=10, start=20, clock=(clock or FakeClock()).clock)
    return submit_job(
        driver, bound, more.pop("progress", Silent()), compare=nothing_to_compare, patience=patience, **more
    )


def nothing_to_compare(*_asked: Any) -> Any:
    raise AssertionError("no query has begun")


def ends_when_asked(driver: FakeJobs) -> FakeClock:
    def happens(_seconds: float) -> None:
        if driver.files.read(STOP) is not None and driver.calls == []:
            driver.end()

    return FakeClock(happens)


def noted(driver: FakeJobs) -> str | None:
    content = driver.files.read(SUBMITTED)
    return None if content is None else json.loads(content)["fingerprint"]


def test_one_that_is_not_there_is_started(driver, bound):
    done = submit(driver, bound)
    assert (done.action, done.status.state, done.was_killed) == (STARTED, "running", False)
    assert driver.calls == ["launch"]
    assert noted(driver) == to_package(driver, bound).fingerprint == done.status.fingerprint


def test_one_that_runs_and_has_not_changed_is_left_alone(driver, bound):
    driver.run(to_package(driver, bound).fingerprint)
    done = submit(driver, bound)
    assert (done.action, done.status.id, done.status.state) == (UNCHANGED, "7", "running")
    assert driver.calls == []


def test_one_that_is_starting_and_has_not_changed_is_waited_for(driver, bound):
    """Whoever was told that it took too long asks again."""
    fingerprint = to_package(driver, bound).fingerprint
    driver.run(fingerprint, "starting")
    clock = FakeClock(lambda seconds: driver.say("running", fingerprint) if seconds >= 5 else None)
    done = submit(driver, bound, clock)
    assert (done.action, done.status.id, done.status.state, clock.seconds) == (UNCHANGED, "7", "running", 5)
    driver.say("starting", fingerprint)
    with pytest.raises(StillStarting):
        submit(driver, bound)
    assert driver.calls == []


def test_another_broker_does_not_restart_a_job_and_another_cluster_does(driver, bound):
    driver.run(to_package(driver, bound).fingerprint)
    grown = replace(bound, spec=replace(bound.spec, bootstrap=f"{bound.spec.bootstrap},one-more:9092"))
    assert submit(driver, grown).action == UNCHANGED
    assert submit(driver, replace(bound, kafka="other"), ends_when_asked(driver)).action == RESTARTED


def test_one_that_has_changed_is_stopped_and_goes_on(driver, bound):
    driver.run("other")
    done = submit(driver, bound, ends_when_asked(driver))
    assert (done.action, done.was_killed, driver.calls) == (RESTARTED, False, ["launch"])


def test_one_that_does_not_stop_in_time_is_ended(driver, bound):
    driver.run("other")
    done = submit(driver, bound)
    assert (done.action, done.was_killed, driver.calls) == (RESTARTED, True, ["kill", "launch"])


def test_one_that_is_about_to_stop_is_waited_for(driver, bound):
    driver.run(to_package(driver, bound).fingerprint)
    driver.files.write(STOP, b"")
    done = submit(driver, bound, ends_when_asked(driver))
    assert (done.action, driver.calls) == (RESTARTED, ["launch"])
    assert driver.files.read(STOP) is None


def test_by_force_one_that_has_not_changed_is_restarted_too(driver, bound):
    driver.run(to_package(driver, bound).fingerprint)
    done = submit(driver, bound, ends_when_asked(driver), is_forced=True)
    assert (done.action, driver.calls) == (RESTARTED, ["launch"])


@pytest.mark.parametrize("said", ["running", "failed", "stopped"])
def test_one_that_is_over_is_started_whatever_became_of_it(driver, bound, said):
    driver.run(to_package(driver, bound).fingerprint, said)
    driver.end()
    assert submit(driver, bound).action == STARTED


def test_somebody_elses_is_left_alone(driver, bound):
    """It has the name, and nobody has submitted it here: to end it is for a person to say."""
    driver.run()
    with pytest.raises(JobExists, match="7 is starting under this name, and was not submitted from here") as failure:
        submit(driver, bound)
    assert "hdictl jobs stop orders" in failure.value.fix
    assert (driver.calls, driver.files.read(STOP), noted(driver)) == ([], None, None)


@pytest.mark.parametrize("before", [None, "before"])
@pytest.mark.parametrize(
    ("failure", "runs"),
    [(JobExists, True), (JobExists, False), (Locked, True), (JobRefused, False), (LivyFailed, False)],
)
def test_when_it_is_refused_the_note_is_that_of_what_was_there(driver, bound, before, failure, runs):
    """Two submit at the same time, and the other one was quicker; or it cannot be submitted at all."""
    if before is not None:
        driver.run(before)
        driver.end()

    def refuse(_package: object) -> None:
        driver.living = driver.living if runs else None
        raise failure("no")

    driver.on_launch = refuse
    with pytest.raises(failure):
        submit(driver, bound)
    assert noted(driver) == before


def test_when_nobody_can_tell_whether_it_runs_the_note_stays(driver, bound):
    def vanish(_package: object) -> None:
        driver.is_away = True
        raise LivyFailed("it does not answer (timed out)")

    driver.on_launch = vanish
    with pytest.raises(LivyFailed, match="timed out"):
        submit(driver, bound)
    assert noted(driver) == to_package(driver, bound).fingerprint


def test_when_the_answer_is_lost_the_next_one_knows_its_job_again(driver, bound):
    def drop(package: Any) -> None:
        driver.say("running", package.fingerprint)
        raise LivyFailed("it does not answer (timed out)")

    driver.on_launch = drop
    with pytest.raises(LivyFailed):
        submit(driver, bound)
    assert submit(driver, bound).action == UNCHANGED
    assert driver.calls == ["launch"]


@pytest.mark.parametrize("place", [BOARD, BOARD_DRAFT])  # it was killed; or killed while it wrote
def test_what_the_run_before_has_said_is_not_taken_for_this_ones(driver, bound, place):
    fingerprint = to_package(driver, bound).fingerprint
    driver.run(fingerprint, "failed")
    driver.say("running", fingerprint, place)
    driver.end()
    clock = FakeClock(lambda seconds: driver.say("running", fingerprint) if seconds >= 5 else None)
    driver.on_launch = lambda _package: None
    assert submit(driver, bound, clock).status.state == "running"
    assert clock.seconds == 5


def test_why_it_may_not_start_is_told(driver, bound):
    def refuse(package: Any) -> None:
        error = {"what": "there is no topic `orders`", "fix": "make it"}
        driver.say("failed", package.fingerprint, error=error)

    driver.on_launch = refuse
    clock = FakeClock(lambda seconds: driver.end() if seconds >= 2 else None)  # Spark takes its time to close
    with pytest.raises(JobRefused, match="there is no topic `orders`") as failure:
        submit(driver, bound, clock)
    assert (failure.value.fix, failure.value.where) == ("make it", "job `orders`")
    # It is told when it is over, so that the next one does not meet it.
    assert clock.seconds == 2


def test_one_that_ends_without_a_word_is_told_with_its_last_lines(driver, bound):
    driver.on_launch = lambda _package: driver.end()
    driver.words = ["many lines", "java.lang.OutOfMemoryError: Java heap space"]
    with pytest.raises(SparkFailed, match="it ended before it was at work") as failure:
        submit(driver, bound)
    assert "OutOfMemoryError" in failure.value.what
    assert "hdictl jobs logs orders" in failure.value.fix


def test_one_that_takes_long_is_told_and_left_to_it(driver, bound):
    """A pipeline of somebody's must not take it for done, nor is it known to have failed."""
    driver.on_launch = lambda _package: None
    clock = FakeClock()
    with pytest.raises(StillStarting) as failure:
        submit(driver, bound, clock)
    assert str(failure.value) == (
        "job `orders`: new-1 is starting and not at work after 20 s; it goes on, and nowhere may have no room for it "
        "yet\n  → its log says more: hdictl jobs logs orders; to wait on: hdictl jobs submit orders"
    )
    assert failure.value.exit_code == EXIT_FAILED
    assert 20 < clock.seconds < 22
    assert (driver.calls, driver.living.state) == (["launch"], RUNNING)


def test_of_one_that_failed_and_does_not_end_the_reason_is_told(driver, bound):
    driver.on_launch = lambda package: driver.say("failed", package.fingerprint, error={"what": "no topic", "fix": ""})
    with pytest.raises(JobRefused, match="no topic"):
        submit(driver, bound)


def test_what_cannot_be_staged_leaves_the_run_at_work_alone(driver, bound):
    def refuse(_package: Any) -> None:
        raise JobRefused("what it is told is too long")

    driver.run("other")
    driver.on_stage = refuse
    with pytest.raises(JobRefused, match="too long"):
        submit(driver, bound)
    assert (driver.calls, driver.living.id, driver.files.read(STOP), noted(driver)) == ([], "7", None, "other")


def test_of_two_at_the_same_time_the_note_is_that_of_the_one_that_was_quicker(driver, bound):
    """The other one has read what was there before either of them, and is refused."""

    def other_tries(_package: Any) -> None:
        driver.files.write(SUBMITTED, b'{"fingerprint": "theirs"}')
        driver.say("running", to_package(driver, bound).fingerprint)

    driver.on_launch = other_tries
    submit(driver, bound)
    assert noted(driver) == to_package(driver, bound).fingerprint

    def was_slower(_package: Any) -> None:
        driver.files.write(SUBMITTED, b'{"fingerprint": "theirs"}')
        raise Locked("another hdictl is at work on it")

    driver.end()
    driver.on_launch = was_slower
    with pytest.raises(Locked):
        submit(driver, bound)
    assert noted(driver) == "theirs"


@pytest.mark.parametrize("when", ["stop", "start"])
def test_who_interrupts_between_stop_and_start_is_told_that_it_is_down(driver, bound, when):
    def interrupt(_anything: Any) -> None:
        raise KeyboardInterrupt

    driver.run("other")
    clock = FakeClock(interrupt) if when == "stop" else ends_when_asked(driver)
    driver.on_launch = interrupt
    with pytest.raises(Interrupted, match="the job is down or will be") as failure:
        submit(driver, bound, clock)
    assert (failure.value.where, failure.value.fix) == ("job `orders`", "hdictl jobs submit orders")


def test_who_interrupts_the_waiting_is_told_that_it_goes_on(driver, bound):
    def interrupt(_seconds: float) -> None:
        raise KeyboardInterrupt

    driver.on_launch = lambda _package: None
    with pytest.raises(Interrupted, match="it was started and goes on without us") as failure:
        submit(driver, bound, FakeClock(interrupt))
    assert failure.value.fix == "hdictl jobs status orders"


@pytest.mark.parametrize("key", ["spark.master", "spark.submit.deployMode"])
def test_where_it_runs_is_not_for_the_job_to_say(driver, folder, key):
    bound = bound_job("orders", folder, **BINDING, configuration={key: "local"})
    with pytest.raises(JobRefused, match=f"sets `{key}`, and the cluster decides that"):
        submit(driver, bound)
    assert driver.calls == []


@pytest.mark.parametrize(
    "change",
    [
        {"parameters": {"factor": 2}},
        {"trigger": "5s"},
        {"configuration": {"spark.x": True}},
        {"resources": {"driver_memory": "2g"}},
        {"packages": True},
        {"delta": True},
        {"writes": {"out": "sessions", "dead": "dead"}},
    ],
)
def test_what_a_job_is_submitted_with_is_in_its_fingerprint(driver, bound, folder, change):
    changed = bound_job("orders", folder, **{**BINDING, **change})
    assert to_package(driver, changed).fingerprint != to_package(driver, bound).fingerprint
    assert (
        to_package(driver, bound).fingerprint == to_package(driver, bound_job("orders", folder, **BINDING)).fingerprint
    )


def test_so_are_the_library_the_query_and_the_tables_of_its_folder(driver, folder):
    (folder / "pipelines" / "sales").mkdir(parents=True)
    shipped = bound_job("sales_enrich", folder, reads={"sales": "orders"}, writes=SALES)
    for file in shipped.pipeline.folder.rglob("*"):
        if file.is_file():
            copy = folder / "pipelines" / "sales" / file.relative_to(shipped.pipeline.folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(file.read_bytes())

    def fingerprint() -> str:
        return to_package(driver, bound_job("sales", folder, reads={"sales": "orders"}, writes=SALES)).fingerprint

    seen = [fingerprint()]
    for file in ("tables/products.csv", "enriched.sql"):
        place = folder / "pipelines" / "sales" / file
        place.write_text(place.read_text() + "\n")
        seen.append(fingerprint())
    driver.digest = "another"
    seen.append(fingerprint())
    assert len(set(seen)) == len(seen)


SALES = {"revenue": "out", "dead_letters": "dead"}
