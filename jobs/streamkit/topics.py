"""The topics of a job, as Kafka knows them."""

from __future__ import annotations

from typing import Callable

from pyspark.sql import SparkSession

from streamkit.errors import JobError
from streamkit.kafka_admin import KafkaAdmin
from streamkit.records import LARGEST
from streamkit.spec import Spec, Topic

Connect = Callable[[SparkSession, Topic], KafkaAdmin]


def identify(
    spark: SparkSession, spec: Spec, connect: Connect = KafkaAdmin
) -> tuple[dict[str, str | None], str | None]:
    """Ids of all topics that are read, and of their cluster. A topic that is not there is told here."""
    topics: dict[str, str | None] = {}
    cluster = None
    for source in spec.sources.values():
        with connect(spark, source.kafka) as kafka:
            topics.update(kafka.topic_ids(source.kafka.topics))
            cluster = kafka.cluster_id()
    for topic in _written_to(spec):
        with connect(spark, topic) as kafka:
            kafka.topic_ids(topic.topics)
    return topics, cluster


def largest_letters(spark: SparkSession, spec: Spec, connect: Connect = KafkaAdmin) -> dict[str, int]:
    """Topic of dead letters → bytes that a record in it may have."""
    found = {}
    for topic in _dead_letter_topics(spec):
        with connect(spark, topic) as kafka:
            try:
                largest = kafka.largest_record(topic.topic)
            except JobError:  # a user who may write need not be one who may see settings
                largest = LARGEST
        found[topic.topic] = min(largest, int(topic.options.get("max.request.size", largest)))
    return found


def _written_to(spec: Spec) -> list[Topic]:
    sinks = [sink.kafka for sink in spec.sinks.values() if sink.kafka is not None]
    return sinks + [topic for topic in _dead_letter_topics(spec) if topic not in sinks]


def _dead_letter_topics(spec: Spec) -> list[Topic]:
    found: list[Topic] = []
    for source in spec.sources.values():
        if source.dead_letters is not None and source.dead_letters not in found:
            found.append(source.dead_letters)
    return found
