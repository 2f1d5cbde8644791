"""What Kafka's reader is told: where to begin, how much at once, and what to do about a gap."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from streamkit.sources import CONSUMER, kafka_reader
from streamkit.spec import Source, Topic

SOURCE = Source(Topic("b:9092", "in", {"max.poll.records": "7"}), {"a": "STRING"})


class Spark:
    """A session whose reader writes down its options."""

    def __init__(self) -> None:
        self.options: dict[str, Any] = {}
        self.readStream = self  # as Spark names it

    def format(self, _name: str) -> Spark:
        return self

    def option(self, name: str, value: Any) -> Spark:
        self.options[name] = value
        return self

    def load(self) -> dict[str, Any]:
        return self.options


def options(source: Source = SOURCE, *, with_headers: bool = False, **starts: str) -> dict[str, Any]:
    return kafka_reader(starts)(Spark(), "events", source, with_headers=with_headers)


def test_a_gap_stops_the_job_unless_the_pipeline_says_otherwise():
    assert options()["failOnDataLoss"] == "true"
    assert options(replace(SOURCE, fail_on_data_loss=False))["failOnDataLoss"] == "false"


def test_limits_are_those_of_the_source():
    assert not {"maxOffsetsPerTrigger", "minPartitions"} & set(options())
    limited = options(replace(SOURCE, max_offsets_per_trigger=500, min_partitions=12))
    assert (limited["maxOffsetsPerTrigger"], limited["minPartitions"]) == (500, 12)


def test_it_begins_where_somebody_has_said_and_else_where_the_pipeline_says():
    source = replace(SOURCE, starting_offsets="latest")
    assert options(source)["startingOffsets"] == "latest"
    assert options(source, events='{"in": {"0": 5}}')["startingOffsets"] == '{"in": {"0": 5}}'
    assert options(source, others="earliest")["startingOffsets"] == "latest"


def test_a_job_has_the_last_word_on_its_consumers():
    made = options(with_headers=True)
    assert (made["kafka.max.poll.records"], made["includeHeaders"]) == ("7", "true")
    assert made["kafka.fetch.max.bytes"] == CONSUMER["fetch.max.bytes"]
    assert (made["kafka.bootstrap.servers"], made["subscribe"]) == ("b:9092", "in")
