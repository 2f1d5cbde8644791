"""Records of a living cluster, read and written through confluent-kafka."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from hdictl.errors import KafkaRejected, KafkaUnreachable
from hdictl.ports.kafka import Endpoint, Record

_TIMEOUT_SECONDS = 10.0
_POLL_SECONDS = 0.2
_NEWS_SECONDS = 3.0  # Kafka tells brokers of a new topic one after the other, and any of them is asked
_LEADER_MOVED = ("NOT_LEADER_FOR_PARTITION", "LEADER_NOT_AVAILABLE")  # and the client has not heard of it
_Message = tuple[bytes | None, bytes | None, list[tuple[str, bytes | None]]]  # key, value, headers
_LIBRARY_LOG_LEVEL = 0  # librdkafka's own lines on lost connections would stand beside our one message


@contextmanager
def records(endpoint: Endpoint) -> Iterator[KafkaRecords]:
    if endpoint.proxy:
        raise KafkaUnreachable(
            "records cannot be read or written through a SOCKS proxy",
            where=f"cluster `{endpoint.cluster}`",
            fix="run this inside the VNet, where the brokers are reached directly",
        )
    yield KafkaRecords(endpoint)


class KafkaRecords:
    """A `RecordStream`."""

    def __init__(self, endpoint: Endpoint, news_seconds: float = _NEWS_SECONDS) -> None:
        self._endpoint = endpoint
        self._news_seconds = news_seconds
        self._common = {
            "bootstrap.servers": endpoint.bootstrap,
            "client.id": "hdictl",
            "log_level": _LIBRARY_LOG_LEVEL,
            "broker.address.family": "v4",
        }

    def read(self, topic: str, *, from_beginning: bool, limit: int | None, follow: bool) -> Iterator[Record]:
        """Up to the end as it is now: the first `limit` from the beginning, else the last; `follow` gives new ones."""
        from confluent_kafka import Consumer, KafkaException

        consumer = Consumer(
            {**self._common, "group.id": "hdictl-tail", "enable.auto.commit": False, "enable.partition.eof": False}
        )
        try:
            back = 0 if follow else limit or 0
            ends = self._assign(consumer, topic, from_beginning=from_beginning, back=back)
            if from_beginning or follow:
                yield from _consumed(consumer, None if follow else ends, limit)
            else:
                # Each partition has given its last ones; the last of all are among them.
                found = sorted(_consumed(consumer, ends, None), key=lambda record: (record.timestamp, record.offset))
                yield from found[len(found) - min(back, len(found)) :]
        except KafkaException as error:
            raise self._named(error, topic) from error
        finally:
            consumer.close()

    def write(self, topic: str, records: Iterable[tuple[bytes | None, bytes | None]]) -> int:
        return self._produce(topic, ((key, value, []) for key, value in records))

    def send(self, topic: str, records: Iterable[Record]) -> int:
        return self._produce(topic, ((each.key, each.value, list(each.headers)) for each in records))

    def _produce(self, topic: str, messages: Iterable[_Message]) -> int:
        from confluent_kafka import KafkaException, Producer

        failures: list[Any] = []
        producer = Producer(
            {
                **self._common,
                "acks": "all",
                "enable.idempotence": True,
                "compression.type": "lz4",
                "linger.ms": 20,
                "message.timeout.ms": 30_000,
            }
        )
        self._require_topic(producer, topic)
        sent = 0
        try:
            for message in messages:
                while not _accepted(producer, topic, message, failures):
                    producer.poll(_POLL_SECONDS)
                sent += 1
                producer.poll(0)
        except KafkaException as error:
            raise self._named(error, topic) from error
        finally:
            # Also when the caller's records end in an error: what was taken from it is written.
            producer.flush()
        if failures:
            raise KafkaRejected(
                f"{len(failures)} of {sent} records were not taken: {failures[0].str()}",
                where=self._where(topic),
                fix="see the brokers: hdictl status",
            )
        return sent

    def _assign(self, consumer: Any, topic: str, *, from_beginning: bool, back: int) -> dict[int, int]:
        """Start reading; returns partition → the end offset as it is now, for partitions that have something."""
        from confluent_kafka import TopicPartition

        partitions = self._require_topic(consumer, topic)
        starts, ends = [], {}
        for partition in partitions:
            low, high = self._span(consumer, TopicPartition(topic, partition))
            start = low if from_beginning else max(low, high - back)
            starts.append(TopicPartition(topic, partition, start))
            if high > start:
                ends[partition] = high
        consumer.assign(starts)
        return ends

    def _span(self, consumer: Any, partition: Any) -> tuple[int, int]:
        """Its first offset and its end. A leader that has just moved is asked for again, where it is now."""
        from confluent_kafka import KafkaException

        deadline = time.monotonic() + self._news_seconds
        while True:
            try:
                low, high = consumer.get_watermark_offsets(partition, timeout=_TIMEOUT_SECONDS)
                return low, high
            except KafkaException as error:
                if error.args[0].name() not in _LEADER_MOVED or time.monotonic() > deadline:
                    raise
            time.sleep(_POLL_SECONDS)

    def _require_topic(self, client: Any, topic: str) -> list[int]:
        """Its partitions. Made a moment ago it may be unknown to the broker that answers: that is asked again."""
        deadline = time.monotonic() + self._news_seconds
        while (described := self._described(client, topic)).error is not None:
            error = described.error
            is_unknown = "UNKNOWN_TOPIC" in error.name()
            if not (is_unknown or error.retriable()) or time.monotonic() > deadline:
                raise KafkaRejected(
                    f"there is no topic `{topic}`" if is_unknown else error.str(),
                    where=self._where(topic),
                    fix="list them: hdictl topics list; make it: hdictl apply",
                )
            time.sleep(_POLL_SECONDS)
        return sorted(described.partitions)

    def _described(self, client: Any, topic: str) -> Any:
        from confluent_kafka import KafkaException

        try:
            return client.list_topics(topic, timeout=_TIMEOUT_SECONDS).topics[topic]
        except KafkaException as error:
            raise self._named(error, topic) from error

    def _where(self, topic: str) -> str:
        return f"topic `{topic}` on cluster `{self._endpoint.cluster}`"

    def _named(self, error: Any, topic: str) -> KafkaRejected | KafkaUnreachable:
        reason = error.args[0]
        kind = KafkaUnreachable if reason.retriable() or "TRANSPORT" in reason.name() else KafkaRejected
        return kind(reason.str(), where=self._where(topic), fix="see the brokers: hdictl status")


def _accepted(producer: Any, topic: str, message: _Message, failures: list[Any]) -> bool:
    key, value, headers = message

    def delivered(error: Any, _message: Any) -> None:
        if error is not None:
            failures.append(error)

    try:
        producer.produce(topic, key=key, value=value, headers=headers, on_delivery=delivered)
    except BufferError:
        return False
    return True


def _consumed(consumer: Any, ends: dict[int, int] | None, limit: int | None) -> Iterator[Record]:
    from confluent_kafka import KafkaException

    given = 0
    while ends is None or ends:
        if limit is not None and given >= limit:
            return
        message = consumer.poll(_POLL_SECONDS)
        if message is None:
            if ends is not None:
                _forget_read(consumer, ends)
            continue
        if message.error():
            raise KafkaException(message.error())
        partition, offset = message.partition(), message.offset()
        if ends is not None:
            if partition not in ends or offset >= ends[partition]:
                continue
            if offset + 1 >= ends[partition]:
                del ends[partition]
        given += 1
        yield Record(
            partition,
            offset,
            message.timestamp()[1],
            message.key(),
            message.value(),
            tuple((name, value) for name, value in message.headers() or ()),
        )


def _forget_read(consumer: Any, ends: dict[int, int]) -> None:
    """Transaction markers and compacted records are skipped: the position tells the end, not the last record."""
    for place in consumer.position(consumer.assignment()):
        if place.partition in ends and place.offset >= ends[place.partition]:
            del ends[place.partition]
