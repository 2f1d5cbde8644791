"""All records of topics, from the beginning, by a confluent-kafka consumer that is set up for throughput."""

from __future__ import annotations

from collections.abc import Iterator

from confluent_kafka import OFFSET_BEGINNING, Consumer, Message, TopicPartition

_AT_ONCE = 10_000


def chunks(bootstrap: str, topics: list[str]) -> Iterator[list[Message]]:
    consumer = Consumer(
        {
            "bootstrap.servers": bootstrap,
            "group.id": "bench",
            "enable.auto.commit": False,
            "queued.min.messages": 200_000,
            "fetch.message.max.bytes": 16 * 1024 * 1024,
        }
    )
    known = consumer.list_topics(timeout=30).topics
    consumer.assign(
        [TopicPartition(topic, number, OFFSET_BEGINNING) for topic in topics for number in known[topic].partitions]
    )
    try:
        while True:
            messages = consumer.consume(_AT_ONCE, timeout=1.0)
            for message in messages:
                if message.error():
                    raise RuntimeError(message.error())
            yield messages
    finally:
        consumer.close()
