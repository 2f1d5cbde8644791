"""A leader that has just moved: the client that has not heard of it asks again, for a while."""

from __future__ import annotations

import pytest
from confluent_kafka import KafkaError, KafkaException, TopicPartition

from hdictl.drivers.kafka.records import KafkaRecords
from hdictl.ports.kafka import Endpoint


class Consumer:
    def __init__(self, *errors: int) -> None:
        self.errors = list(errors)
        self.asked = 0

    def get_watermark_offsets(self, partition: TopicPartition, timeout: float) -> tuple[int, int]:
        self.asked += 1
        if self.errors:
            raise KafkaException(KafkaError(self.errors.pop(0)))
        return 3, 8


def span(consumer: Consumer, seconds: float = 5.0) -> tuple[int, int]:
    return KafkaRecords(Endpoint("ingest", "nowhere:1"), news_seconds=seconds)._span(consumer, TopicPartition("t", 0))


def test_it_is_asked_for_again():
    consumer = Consumer(KafkaError.NOT_LEADER_FOR_PARTITION, KafkaError.LEADER_NOT_AVAILABLE)
    assert (span(consumer), consumer.asked) == ((3, 8), 3)


@pytest.mark.parametrize(
    ("error", "seconds"), [(KafkaError.NOT_LEADER_FOR_PARTITION, -1.0), (KafkaError.TOPIC_AUTHORIZATION_FAILED, 5.0)]
)
def test_not_for_ever_and_not_for_anything_else(error, seconds):
    consumer = Consumer(error)
    with pytest.raises(KafkaException):
        span(consumer, seconds)
    assert consumer.asked == 1
