"""A storage that fails for a moment, and one that stays away."""

from __future__ import annotations

from typing import Any

import pytest
from streamkit.tolerance import Tolerance


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def lines() -> list[Any]:
    return []


@pytest.fixture
def tolerance(clock: Clock, lines: list[Any]) -> Tolerance:
    return Tolerance("orders", "the look for a stop", lines.append, clock)


def away() -> bool:
    raise OSError("Operation failed: 503, Server Busy")


def test_what_works_gives_its_answer(tolerance, lines):
    assert tolerance.attempt(lambda: True, otherwise=False)
    assert lines == []


def test_a_failure_is_told_once_and_the_next_is_tried(tolerance, lines):
    assert [tolerance.attempt(away, otherwise=False) for _time in range(20)] == [False] * 20
    assert tolerance.attempt(lambda: True, otherwise=False)
    tolerance.attempt(away, otherwise=False)
    assert [(line["event"], line["query"]) for line in lines] == [("warning", "orders")]
    assert lines[0]["what"] == (
        "the look for a stop failed, and is tried again: OSError: Operation failed: 503, Server Busy"
    )


def test_one_that_lasts_ends_the_job(tolerance, clock):
    tolerance.attempt(away, otherwise=False)
    clock.now = 200
    with pytest.raises(OSError, match="Server Busy"):
        tolerance.attempt(away, otherwise=False)


def test_what_was_better_in_between_begins_anew(tolerance, clock):
    tolerance.attempt(away, otherwise=False)
    clock.now = 170
    tolerance.attempt(lambda: True, otherwise=False)
    clock.now = 340
    assert tolerance.attempt(away, otherwise=False) is False


def test_a_full_disk_ends_the_job_at_once(tolerance, lines):
    def full() -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        tolerance.attempt(full, otherwise=None)
    assert lines == []
