"""Dead letters: read from headers, chosen by error, and sent again once."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from hdictl.errors import JobRefused, KafkaRejected
from hdictl.ports.kafka import Record
from hdictl.streaming.letters import by_error, is_wanted, to_letter
from hdictl.workflow.jobs.letters import carry_out, letter_topics, plan_replay, read_letters
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
            yield Record(0, offset, 5, b"k", b"v", (("trace", b"1"), ("replayed_from", b"dead/9/9"), *headers))

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


def replay(bound, stream, kafka, error=None, *, again=False) -> tuple[int, int]:
    """How many were sent, and how many passed over."""
    kafka._records = {"dead": {0: [5] * len(stream.letters)}}
    plan = plan_replay(bound, stream, kafka, error=error, again=again)
    return carry_out(bound, stream, kafka, plan, error=error), plan.passed_over


def test_what_was_sent_again_is_not_sent_a_second_time(bound):
    stream = Stream(["missing:amount", "malformed"])
    kafka = stream.offsets()
    assert replay(bound, stream, kafka) == (2, 0)
    assert replay(bound, stream, kafka) == (0, 2)
    stream.letters.append("malformed")
    assert replay(bound, stream, kafka) == (1, 2)
    assert replay(bound, stream, kafka, again=True) == (3, 0)
    assert stream.sent[0].headers == (("trace", b"1"), ("replayed_from", b"dead/0/0"))
    assert (stream.sent[0].key, stream.sent[0].value) == (b"k", b"v")


def test_by_error_the_others_still_wait_and_those_do_not_come_twice(bound):
    stream = Stream(["missing:amount", "malformed", "missing:id"])
    kafka = stream.offsets()
    assert replay(bound, stream, kafka, "missing") == (2, 0)
    assert replay(bound, stream, kafka, "missing") == (0, 2)
    assert replay(bound, stream, kafka, "missing:id") == (0, 1)
    assert replay(bound, stream, kafka) == (1, 2)
    stream.letters.append("missing:id")
    assert replay(bound, stream, kafka, "missing:id") == (1, 1)
    assert replay(bound, stream, kafka) == (0, 4)


def test_what_comes_while_it_is_looked_at_is_left_for_the_next_time(bound):
    stream = Stream(["malformed"])
    kafka = stream.offsets()
    stream.grows = ["malformed"] * 2
    assert replay(bound, stream, kafka) == (1, 0)
    assert replay(bound, stream, kafka) == (2, 1)


def test_who_is_interrupted_sends_some_twice_and_loses_none(bound):
    stream = Stream(["malformed"] * 3, room=2)
    kafka = stream.offsets()
    with pytest.raises(KafkaRejected):
        replay(bound, stream, kafka)
    stream.room = 1000
    assert replay(bound, stream, kafka) == (3, 0)


def test_letters_of_other_topics_are_not_this_jobs(bound):
    stream = Stream(["malformed", "foreign"])
    assert [letter.error for letter in read_letters(bound, stream)] == ["malformed"]


def test_a_job_without_dead_letters_says_so(folder):
    bound = bound_job("orders", folder, reads={"orders": "orders"}, writes={"out": "out"})
    with pytest.raises(JobRefused, match="it keeps no dead letters"):
        letter_topics(bound)
