"""The topics of a job, looked at before anything starts."""

from __future__ import annotations

import pytest
from streamkit.errors import JobError
from streamkit.records import LARGEST
from streamkit.spec import Flow, Sink, Source, Spec, Topic
from streamkit.topics import identify, largest_letters

IN, OUT, DEAD = (Topic("b:9092", name) for name in ("in", "out", "dead"))


def spec(dead: Topic | None = DEAD) -> Spec:
    sources = {name: Source(IN, {"a": "STRING"}, dead_letters=dead) for name in ("first", "second")}
    flows, sinks = {"f": Flow("out", sql="SELECT 1")}, {"out": Sink(kafka=OUT, key=["a"])}
    return Spec("p", "j", "file:///nowhere", sources, flows, sinks)


class Kafka:
    """A cluster with some topics. `largest` is what it tells of their settings; None: it does not tell."""

    def __init__(self, *topics: str, largest: int | None = 2_000_000) -> None:
        self._topics = topics
        self._largest = largest
        self.connections = 0

    def __call__(self, _spark: object, _topic: Topic) -> Kafka:
        self.connections += 1
        return self

    def __enter__(self) -> Kafka:
        return self

    def __exit__(self, *_reason: object) -> None:
        pass

    def cluster_id(self) -> str:
        return "c"

    def topic_ids(self, topics: list[str]) -> dict[str, str]:
        missing = [topic for topic in topics if topic not in self._topics]
        if missing:
            raise JobError(f"there is no topic `{missing[0]}`")
        return {topic: f"id of {topic}" for topic in topics}

    def largest_record(self, _topic: str) -> int:
        if self._largest is None:
            raise JobError("not authorized")
        return self._largest


def test_only_topics_that_are_read_have_a_part_in_the_checkpoint():
    assert identify(None, spec(), Kafka("in", "out", "dead")) == ({"in": "id of in"}, "c")


@pytest.mark.parametrize("missing", ["in", "out", "dead"])
def test_a_topic_that_is_not_there_is_named_before_anything_starts(missing):
    there = [topic for topic in ("in", "out", "dead") if topic != missing]
    with pytest.raises(JobError, match=f"there is no topic `{missing}`"):
        identify(None, spec(), Kafka(*there))


def test_dead_letters_that_nobody_keeps_need_no_topic():
    identify(None, spec(dead=None), Kafka("in", "out"))
    assert largest_letters(None, spec(dead=None), Kafka()) == {}


def test_the_topic_of_dead_letters_says_how_large_a_letter_may_be():
    kafka = Kafka()
    assert largest_letters(None, spec(), kafka) == {"dead": 2_000_000}
    assert kafka.connections == 1  # for both sources


def test_where_it_does_not_say_kafkas_default_holds():
    assert largest_letters(None, spec(), Kafka(largest=None)) == {"dead": LARGEST}


def test_a_producer_that_is_told_to_send_less_sends_less():
    small = Topic("b:9092", "dead", {"max.request.size": "5000"})
    assert largest_letters(None, spec(small), Kafka()) == {"dead": 5000}
