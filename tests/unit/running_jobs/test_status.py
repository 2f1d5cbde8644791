"""How a job stands, by what whoever runs it knows and what the job has said."""

from __future__ import annotations

import json

import pytest

from hdictl.ports.job_driver import FAILED, OVER, RUNNING, STARTING, LivingJob
from hdictl.streaming.state import BOARD, BOARD_DRAFT, STOP, SUBMITTED, ended_by_force, read_board
from hdictl.workflow.jobs.status import status_of

NOW, BEFORE = "now", "before"  # fingerprints: of what was submitted, and of the run before


@pytest.mark.parametrize(
    ("living", "is_asked", "said", "expected"),
    [
        # Nobody runs it.
        (None, False, None, "lost"),
        (None, False, ("running", NOW), "lost"),
        (None, False, ("stopped", NOW), "stopped"),
        (None, False, ("failed", NOW), "failed"),
        (None, True, ("running", NOW), "lost"),
        (None, False, ("stopped", BEFORE), "lost"),  # the run before said so, this one has said nothing
        (OVER, False, ("stopped", NOW), "stopped"),
        (OVER, False, None, "lost"),
        (FAILED, False, ("failed", NOW), "failed"),
        (FAILED, False, ("running", NOW), "lost"),
        # It runs.
        (STARTING, False, None, "starting"),
        (RUNNING, False, None, "starting"),
        (RUNNING, False, ("starting", NOW), "starting"),
        (RUNNING, False, ("running", BEFORE), "starting"),
        (RUNNING, False, ("running", NOW), "running"),
        (STARTING, False, ("running", NOW), "running"),  # Livy is behind
        (RUNNING, True, ("running", NOW), "stopping"),
        (RUNNING, True, None, "stopping"),
        # It has said its last word, and Spark is closing.
        (RUNNING, False, ("stopped", NOW), "stopping"),
        (RUNNING, False, ("failed", NOW), "stopping"),
    ],
)
def test_the_state_of_a_job(driver, living, is_asked, said, expected):
    driver.files.write(SUBMITTED, json.dumps({"fingerprint": NOW}).encode())
    driver.living = None if living is None else LivingJob("7", living, 5.0)
    if is_asked:
        driver.files.write(STOP, b"")
    if said is not None:
        driver.say(*said)
    assert status_of(driver, "orders", "orders").state == expected


def test_one_that_was_never_submitted_is_absent(driver):
    status = status_of(driver, "orders", "orders")
    assert (status.state, status.id, status.board, status.is_well) == ("absent", None, None, True)


@pytest.mark.parametrize("state", ["failed", "lost"])
def test_who_has_failed_or_is_lost_is_not_well(driver, state):
    driver.run(NOW, "failed" if state == "failed" else "running")
    driver.end()
    status = status_of(driver, "orders", "orders")
    assert (status.state, status.is_well) == (state, False)


def test_while_the_board_is_written_the_draft_is_read(driver):
    """Hadoop does not rename over a file: for a moment there is only the draft."""
    driver.run(NOW)
    driver.files.move(BOARD, BOARD_DRAFT)
    assert status_of(driver, "orders", "orders").state == "running"


@pytest.mark.parametrize(
    "content", [b"", b"{", b'{"state": "run', b"{}", b"[]", b"null", b'{"state": "running", "queries": {"q": {}}}']
)
def test_a_board_that_cannot_be_read_is_none(driver, content):
    driver.run(NOW)
    driver.files.write(BOARD, content)
    status = status_of(driver, "orders", "orders")
    assert (status.state, status.notes) == ("starting", ("_progress/state.json cannot be read",))
    assert read_board(content) is None


def test_lines_of_a_board_that_are_none_are_passed_over():
    board = read_board(b'{"state": "running", "recent": [7, {"event": "warning"}]}')
    assert (len(board.recent), board.warnings) == (1, ("job: ",))


@pytest.mark.parametrize("note", [b"", b"[]", b'{"pipeline": "orders"}'])
def test_a_note_that_cannot_be_read_is_none(driver, note):
    driver.run(NOW)
    driver.files.write(SUBMITTED, note)
    status = status_of(driver, "orders", "orders", NOW)
    assert (status.state, status.fingerprint, status.is_current) == ("running", None, None)


def test_it_is_compared_with_the_stack_when_somebody_asks(driver):
    driver.run(NOW)
    found = [status_of(driver, "orders", "orders", each).is_current for each in (NOW, BEFORE, None)]
    assert found == [True, False, None]


def test_warnings_and_failures_come_along(driver):
    driver.run(NOW)
    warning = {"event": "warning", "query": "passed", "what": "30 of 40 records cannot be used"}
    driver.say("failed", NOW, recent=[warning], error={"what": "the disk is full", "fix": ""})
    status = status_of(driver, "orders", "orders")
    assert status.notes == ("passed: 30 of 40 records cannot be used",)
    assert (status.board.error, status.board.fix) == ("the disk is full", None)


@pytest.mark.parametrize(
    ("content", "fingerprint", "expected"),
    [
        (b'{"state": "running", "fingerprint": "now", "at": 5}', NOW, {"fingerprint": NOW, "at": 5}),
        (b'{"state": "running", "fingerprint": "before", "at": 5}', NOW, {"fingerprint": NOW}),
        (b'{"state": "running", "fingerprint": "before"}', None, {"fingerprint": BEFORE}),
        (None, NOW, {"fingerprint": NOW}),
        (b"{", NOW, {"fingerprint": NOW}),
        (b"[]", NOW, {"fingerprint": NOW}),
        (None, None, {}),
        # It had failed, and did not come to its end: that it was helped is not what has to be told.
        (b'{"state": "failed", "fingerprint": "now"}', NOW, {"fingerprint": NOW, "state": "failed"}),
    ],
)
def test_what_is_noted_of_one_that_was_ended(content, fingerprint, expected):
    assert json.loads(ended_by_force(content, fingerprint)) == {"state": "stopped", **expected}
