"""Where progress goes: the board in the job's folder, and consumer groups that show how far it has read."""

from __future__ import annotations

import json

import pytest
from streamkit.errors import JobError
from streamkit.outlets import Board, GroupPositions

BATCH = {"event": "batch", "query": "counts", "batch": 1, "end_offsets": {"in": {"0": 5}}}


class Files:
    def __init__(self) -> None:
        self.written: list[dict] = []
        self.is_away = False

    def write(self, name: str, text: str) -> None:
        assert name == "_progress/state.json"
        if self.is_away:
            raise OSError("busy")
        self.written.append(json.loads(text))


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def files() -> Files:
    return Files()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def board(files, clock) -> Board:
    return Board(files, {"job": "j", "pipeline": "p"}, clock)


def test_the_board_says_who_runs_and_since_when_it_stands_so(board, files):
    board({"event": "started"})
    assert files.written == [
        {
            "version": 1,
            "job": "j",
            "pipeline": "p",
            "state": "running",
            "queries": {},
            "recent": [{"event": "started"}],
            "at": 1_000_000,
        }
    ]


def test_batches_are_put_up_no_more_than_once_a_second(board, files, clock):
    board({"event": "started"})
    for number in range(5):
        board({**BATCH, "batch": number})
        board.flush_now_and_then()
    assert len(files.written) == 1
    clock.now += 1.1
    board.flush_now_and_then()
    board.flush_now_and_then()
    assert len(files.written) == 2
    assert files.written[-1]["queries"]["counts"]["batch"] == 4


def test_nothing_is_written_when_nothing_has_happened(board, files, clock):
    board({"event": "started"})
    clock.now += 60
    board.flush_now_and_then()
    assert len(files.written) == 1


def test_each_query_shows_its_last_line_also_when_it_has_only_resumed(board, files):
    board({"event": "resumed", "query": "dead", "after_batch": 3})
    board(BATCH)
    board({**BATCH, "batch": 2})
    board({"event": "stopped"})
    queries = files.written[-1]["queries"]
    assert (queries["counts"]["batch"], queries["dead"]["after_batch"]) == (2, 3)


def test_a_board_that_cannot_be_written_keeps_what_it_has_for_the_next_time(board, files, clock):
    board({"event": "started"})
    board(BATCH)
    clock.now += 2
    files.is_away = True
    with pytest.raises(OSError, match="busy"):
        board.flush_now_and_then()
    board.flush_now_and_then()  # not at once: every try is a request that is paid for
    files.is_away = False
    clock.now += 2
    board.flush_now_and_then()
    assert files.written[-1]["queries"]["counts"]["batch"] == 1


def test_the_end_is_written_at_once(board, files):
    board({"event": "started"})
    board(BATCH)
    board({"event": "stopped"})
    assert [each["state"] for each in files.written] == ["running", "stopped"]
    assert "counts" in files.written[-1]["queries"]


def test_a_failure_says_why_even_of_a_job_that_never_ran(board, files):
    board({"event": "failed", "what": "no topic", "fix": "make it"})
    assert files.written[-1]["state"] == "failed"
    assert files.written[-1]["error"] == {"what": "no topic", "fix": "make it"}


def test_warnings_are_among_the_recent_lines_of_which_a_hundred_are_kept(board, files):
    for number in range(150):
        board({"event": "warning", "query": "q", "what": str(number)})
    board({"event": "stopped"})
    recent = files.written[-1]["recent"]
    assert (len(recent), recent[-2]["what"], recent[0]["what"]) == (100, "149", "51")


class Groups:
    """Kafka, as far as groups go; `is_away` makes it fail."""

    def __init__(self, *, is_away: bool = False) -> None:
        self.is_away = is_away
        self.committed: dict[str, dict] = {}

    def commit(self, group: str, offsets: dict) -> None:
        if self.is_away:
            raise JobError("Kafka does not answer")
        self.committed[group] = offsets


def test_each_query_has_a_group_that_says_how_far_it_has_read():
    kafka, warnings = Groups(), []
    positions = GroupPositions(kafka, "stack.job", warnings.append)
    positions(BATCH)
    positions({**BATCH, "query": "dead", "event": "resumed", "end_offsets": {"in": {"0": 3}}})
    assert kafka.committed == {"stack.job.counts": {"in": {"0": 5}}, "stack.job.dead": {"in": {"0": 3}}}
    assert warnings == []


@pytest.mark.parametrize("line", [{"event": "started"}, {"event": "stopped"}, {**BATCH, "end_offsets": {}}])
def test_what_says_nothing_of_offsets_commits_nothing(line):
    kafka = Groups()
    GroupPositions(kafka, "g", print)(line)
    assert kafka.committed == {}


def test_a_commit_that_fails_is_told_once_and_the_next_is_tried():
    kafka, warnings = Groups(is_away=True), []
    positions = GroupPositions(kafka, "g", warnings.append)
    positions(BATCH)
    positions(BATCH)
    assert [each["what"] for each in warnings] == ["group `g.counts`: Kafka does not answer"]
    kafka.is_away = False
    positions({**BATCH, "end_offsets": {"in": {"0": 9}}})
    assert kafka.committed == {"g.counts": {"in": {"0": 9}}}
    assert len(warnings) == 1
