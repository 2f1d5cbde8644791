"""What a job has said, also when nobody keeps its log any more."""

from __future__ import annotations

import json

import pytest

from hdictl.show.jobs import show_status
from hdictl.workflow.jobs.logs import log_lines
from hdictl.workflow.jobs.status import status_of
from tests.fakes.jobs import FakeJobs


def read(driver: FakeJobs, lines: int = 50) -> tuple[list[str], list[str]]:
    """The job's words, and what is said aside."""
    aside: list[str] = []
    return list(log_lines(driver, "orders", aside.append, lines=lines, follow=False)), aside


def test_a_log_is_passed_on(driver):
    driver.words = ["a", "b"]
    assert read(driver) == (["a", "b"], [])


def test_one_that_never_ran(driver):
    assert read(driver) == ([], ["orders has no log: it has never run"])


def test_one_that_has_just_been_started(driver):
    driver.run("now", "starting")
    assert read(driver) == ([], ["orders has said nothing yet"])


@pytest.mark.parametrize(("lines", "kept"), [(50, 3), (2, 2)])
def test_of_one_that_is_forgotten_there_is_what_it_noted_last(driver, lines, kept):
    driver.run("now")
    recent = [{"event": "batch", "batch": number} for number in range(3)]
    driver.say("failed", "now", recent=recent)
    driver.living = None
    words, aside = read(driver, lines)
    assert [json.loads(line) for line in words] == recent[-kept:]
    assert aside == ["orders has no log any more; this is what it noted last in its folder"]


def test_of_one_that_is_forgotten_and_noted_nothing_that_is_said(driver):
    driver.run("now")
    driver.living = None
    assert read(driver) == ([], ["orders has no log any more, and noted nothing in its folder"])


def test_who_asks_for_no_lines_is_told_nothing(driver):
    assert read(driver, 0) == ([], [])


def test_a_status_says_what_to_do_to_machines_as_well(driver, capsys):
    driver.run("now")
    driver.say("failed", "now", error={"what": "the disk is full", "fix": "make room"})
    driver.end()
    show_status([status_of(driver, "orders", "orders")], as_json=True)
    (job,) = json.loads(capsys.readouterr().out)["jobs"]
    assert (job["error"], job["fix"]) == ("the disk is full", "make room")
