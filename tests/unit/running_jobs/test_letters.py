"""Dead letters: read from headers, chosen by error, and sent again once."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import pytest

from hdictl.errors import JobFileDamaged, JobRefused, KafkaRejected
from hdictl.ports.kafka import Record
from hdictl.show.letters import printable, show_letters, show_replay
from hdictl.streaming.letters import by_error, is_wanted, to_letter
from hdictl.streaming.replay_marks import FILE
from hdictl.workflow.jobs.letters import Choice, carry_out, letter_topics, plan_replay, read_letters
from tests.fakes.jobs import FakeOffsets, bound_job

HEADERS = {
    "error": "missing:amount",
    "pipeline": "p",
    "topic": "orders",
    "partition": "1",
    "offset": "7",
    "timestamp": "5",
}
OWN = (("trace", b"1"), ("error", b"of the writer's"), ("empty", None))


def told(**change: str | None):
    """As a job writes them; None takes one away."""
    headers = {**HEADERS, **change}
    return tuple((name, value.encode()) for name, value in headers.items() if value is not None)


def test_a_letter_is_made_of_its_headers():
    letter = to_letter("dead", (0, 3), (b"k", None), OWN + told())
    assert letter.headers == OWN
    assert (letter.origin, letter.origin_partition, letter.origin_offset, letter.timestamp) == ("orders", 1, 7, 5)
    assert (letter.error, letter.kind, letter.key, letter.value) == ("missing:amount", "missing", b"k", None)


@pytest.mark.parametrize("change", [{"offset": "x"}, {"error": None}, {"timestamp": ""}])
def test_a_record_of_somebody_else_is_none(change):
    assert to_letter("dead", (0, 3), (b"k", None), told(**change)) is None


def test_by_error_the_most_frequent_first_and_by_its_kind():
    found = [to_letter("dead", (0, n), (None, None), told(error=e)) for n, e in enumerate("abbab")]
    assert by_error(found) == [("b", 3), ("a", 2)]
    letter = to_letter("dead", (0, 3), (None, None), told())
    assert [is_wanted(letter, each) for each in (None, "missing", "missing:amount", "amount", "missing:")] == [
        True, True, True, False, False,
    ]  # fmt: skip


@dataclass
class Stream:
    """One partition of dead letters. `grows` is what comes while it is read."""

    letters: list[str]
    grows: list[str] = field(default_factory=list)
    sent: list[Record] = field(default_factory=list)
    room: int = 1000

    def read(self, topic: str, *, from_beginning: bool, limit: int | None, follow: bool):
        self.letters += self.grows
        self.grows = []
        for offset, error in enumerate(self.letters):
            headers = told(error=error, topic="elsewhere" if error == "foreign" else "orders")
            cut = [("truncated", b"3000000")] if error == "cut" else []
            yield Record(0, offset, 5, b"k", b"v", (("trace", b"1"), ("replayed_from", b"dead/9/9"), *cut, *headers))

    def send(self, topic: str, records) -> int:
        count = 0
        for record in records:
            if len(self.sent) == self.room:
                raise KafkaRejected("no broker answers")
            self.sent.append(record)
            count += 1
        return count

    def offsets(self) -> FakeOffsets:
        return FakeOffsets({"dead": {0: [5] * len(self.letters)}})


@pytest.fixture
def replay(bound, driver):
    def send(stream: Stream, error: str | None = None, *, again: bool = False) -> tuple[int, int]:
        """How many were sent, and how many passed over."""
        plan = plan_replay(bound, stream, stream.offsets(), driver.files, Choice(error, again))
        return carry_out(stream, driver.files, plan), plan.passed_over

    return send


def test_what_was_sent_again_is_not_sent_a_second_time(replay):
    stream = Stream(["missing:amount", "malformed"])
    assert replay(stream) == (2, 0)
    assert replay(stream) == (0, 2)
    stream.letters.append("malformed")
    assert replay(stream) == (1, 2)
    assert replay(stream, again=True) == (3, 0)
    assert stream.sent[0].headers == (("trace", b"1"), ("replayed_from", b"dead/0/0"))
    assert (stream.sent[0].key, stream.sent[0].value) == (b"k", b"v")


def test_a_letter_that_has_only_a_part_of_its_record_is_not_sent(bound, driver, capsys):
    stream = Stream(["cut", "malformed"])
    letter = next(read_letters(bound, stream))
    assert (letter.whole_bytes, letter.headers[-1][0]) == (3_000_000, "replayed_from")
    show_letters("orders", [letter], 5, as_json=False)
    assert "the first part of 3,000,000 bytes" in capsys.readouterr().out
    plan = plan_replay(bound, stream, stream.offsets(), driver.files, Choice())
    assert (len(plan.letters), plan.cut) == (1, 1)
    show_replay("orders", plan, carry_out(stream, driver.files, plan), as_json=False)
    assert "1 record sent again; 1 were too large to be kept whole, and are not sent" in capsys.readouterr().out


def test_by_error_the_others_still_wait_and_those_do_not_come_twice(replay):
    stream = Stream(["missing:amount", "malformed", "missing:id"])
    assert replay(stream, "missing") == (2, 0)
    assert replay(stream, "missing") == (0, 2)
    assert replay(stream, "missing:id") == (0, 1)
    assert replay(stream) == (1, 2)
    stream.letters.append("missing:id")
    assert replay(stream, "missing:id") == (1, 1)
    assert replay(stream) == (0, 4)


def test_what_comes_while_it_is_looked_at_is_left_for_the_next_time(replay):
    stream = Stream(["malformed"])
    stream.grows = ["malformed"] * 2
    assert replay(stream) == (1, 0)
    assert replay(stream) == (2, 1)


def test_who_is_interrupted_sends_some_twice_and_loses_none(replay):
    stream = Stream(["malformed"] * 3, room=2)
    with pytest.raises(KafkaRejected):
        replay(stream)
    stream.room = 1000
    assert replay(stream) == (3, 0)


@pytest.mark.parametrize("sign", ["\x1b", "\x9b", "\x07", "\x7f", "\r", "\n", "\u202e"])
def test_a_record_is_no_command_to_the_terminal(capsys, sign):
    bad = f"a{sign}[2Jb"
    letter = to_letter("dead", (0, 3), (b"k", bad.encode()), told(error=f"malformed:{bad}"))
    show_letters("orders", [letter], 10, as_json=False)
    shown = capsys.readouterr().out
    assert sign == "\n" or sign not in shown
    assert shown.count(f"a{sign.encode('unicode_escape').decode()}[2Jb") == 3
    assert printable("Zürich 東京 [bold] \\x1b") == "Zürich 東京 [bold] \\x1b"


class TestMarks:
    """They outlive the offsets of a group that has no members, which Kafka drops after a week."""

    def test_a_dead_letter_topic_that_was_made_anew_has_no_marks(self, bound, driver, replay):
        stream = Stream(["malformed"] * 3)
        assert replay(stream) == (3, 0)
        content = json.loads(driver.files.read(FILE))
        driver.files.write(FILE, json.dumps({**content, "topics": {"dead": "id-of-the-old-one"}}).encode())
        assert replay(Stream(["malformed"])) == (1, 0)
        assert replay(Stream(["malformed"])) == (0, 1)

    @pytest.mark.parametrize("again", [False, True])
    @pytest.mark.parametrize(
        "content",
        [
            b"",
            b"{",
            b"[]",
            b"{}",
            b'{"version": 2}',
            b'{"version": 1, "topics": {}, "sent": {"": {"dead": {"0": "x"}}}}',
        ],
    )
    def test_a_file_that_cannot_be_read_sends_nothing(self, driver, replay, content, again):
        driver.files.write(FILE, content)
        stream = Stream(["malformed"])
        with pytest.raises(JobFileDamaged, match=r"_control/replayed.json cannot be read") as failure:
            replay(stream, again=again)
        assert stream.sent == []
        assert "delete it, and all letters are sent again" in failure.value.fix
        assert driver.files.read(FILE) == content


def test_letters_of_other_topics_are_not_this_jobs(bound):
    stream = Stream(["malformed", "foreign"])
    assert [letter.error for letter in read_letters(bound, stream)] == ["malformed"]


def test_a_job_without_dead_letters_says_so(folder):
    bound = bound_job("orders", folder, reads={"orders": "orders"}, writes={"out": "out"})
    with pytest.raises(JobRefused, match="it keeps no dead letters"):
        letter_topics(bound)
