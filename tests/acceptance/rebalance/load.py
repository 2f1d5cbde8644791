"""Continuous load on living topics, and the proof that Kafka kept all of it, in order, once.

A writer (acks=all, idempotent) numbers the records of every key; one reader follows it while partitions move, another
reads everything again when the writer has ended, because what a live reader saw may be lost afterwards.

Writer and readers are kafka-python's, with one batch of a partition under way at a time. With librdkafka's, a batch was
rarely written twice when a leader moved, also with one request in flight, and a reader gave up because of a truncation
that there was not: see "What writers and readers notice" in docs/rebalance.md.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from functools import partial
from types import TracebackType

from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition
from kafka import KafkaConsumer, KafkaProducer
from kafka import TopicPartition as Place
from kafka.errors import KafkaError

from tests.acceptance.rebalance.ledger import Ledger, Verdict

_KEYS_PER_PARTITION = 2
_BEAT_SECONDS = 0.02
_END_SECONDS = 90.0
_SILENCE_SECONDS = 30.0


class Load:
    """Writes from `with` to `end()`; every wait in it ends."""

    def __init__(self, bootstrap: str, topics: Mapping[str, int], *, rate: int = 250, size: int = 200) -> None:
        """`topics`: how many partitions each has; `rate`: records a second, over all of them.

        They are small: whatever is written has to be moved as well, by every run that follows.
        """
        self.failures: list[str] = []
        self._bootstrap = bootstrap
        self._places = [Place(name, number) for name, count in topics.items() for number in range(count)]
        self._starts: dict[Place, int] = {}
        self._per_beat = max(1, round(rate * _BEAT_SECONDS))
        self._padding = b"." * size
        self._acknowledged: dict[str, int] = {}
        self._live = Ledger()
        self._stop_writing, self._stop_reading = threading.Event(), threading.Event()
        self._threads = [
            threading.Thread(target=self._write, daemon=True),
            threading.Thread(target=self._read, args=(self._live, self._stop_reading), daemon=True),
        ]

    def __enter__(self) -> Load:
        consumer = self._consumer()
        self._starts = consumer.end_offsets(self._places)
        consumer.close()
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop_writing.set()
        self._stop_reading.set()
        for thread in self._threads:
            thread.join(_END_SECONDS)

    @property
    def acknowledged(self) -> int:
        return sum(self._acknowledged.values())

    def end(self) -> tuple[Verdict, Verdict]:
        """What the live reader found, and what is there when all is over."""
        self._stop_writing.set()
        self._threads[0].join(_END_SECONDS)
        assert not self._threads[0].is_alive(), "the writer does not end"
        self._await_all(self._live)
        self._stop_reading.set()
        self._threads[1].join(_END_SECONDS)
        audit, is_over = Ledger(), threading.Event()
        reader = threading.Thread(target=self._read, args=(audit, is_over), daemon=True)
        reader.start()
        self._await_all(audit)
        is_over.set()
        reader.join(_END_SECONDS)
        return self._live.verdict(self._acknowledged), audit.verdict(self._acknowledged)

    def _await_all(self, ledger: Ledger) -> None:
        """Until everything has been read, or nothing more comes: what is missing then is lost."""
        read, came = ledger.read, time.monotonic()
        while not ledger.has_reached(self._acknowledged) and time.monotonic() - came < _SILENCE_SECONDS:
            time.sleep(0.1)
            if ledger.read > read:
                read, came = ledger.read, time.monotonic()

    def _write(self) -> None:
        producer = KafkaProducer(
            bootstrap_servers=self._bootstrap.split(","),
            acks="all",
            enable_idempotence=True,
            max_in_flight_requests_per_connection=1,
            delivery_timeout_ms=60_000,
            request_timeout_ms=30_000,
            linger_ms=10,
        )
        keys = [
            (f"{place.topic}/{place.partition}/{number}", place)
            for number in range(_KEYS_PER_PARTITION)
            for place in self._places
        ]
        sequences = dict.fromkeys((key for key, _ in keys), 0)
        turn = 0
        while not self._stop_writing.wait(_BEAT_SECONDS):
            for _ in range(self._per_beat):
                key, place = keys[turn % len(keys)]
                turn += 1
                value = b"%d %b" % (sequences[key], self._padding)
                written = producer.send(place.topic, value, key.encode(), partition=place.partition)
                written.add_callback(partial(self._delivered, key))
                written.add_errback(partial(self._failed, key))
                sequences[key] += 1
        try:
            producer.flush(_END_SECONDS - 10)
        except KafkaError as error:
            self.failures.append(f"not all records were answered: {error}")
        producer.close()

    def _delivered(self, key: str, _metadata: object) -> None:
        self._acknowledged[key] = self._acknowledged.get(key, 0) + 1

    def _failed(self, key: str, error: BaseException) -> None:
        self.failures.append(f"{key}: {error}")

    def _read(self, ledger: Ledger, is_over: threading.Event) -> None:
        consumer = self._consumer()
        consumer.assign(self._places)
        for place, start in self._starts.items():
            consumer.seek(place, start)
        while not is_over.is_set():
            try:
                found = consumer.poll(timeout_ms=200, max_records=2_000)
            except KafkaError as error:
                ledger.tell(f"the reader: {error!r}")
                continue
            for messages in found.values():
                for message in messages:
                    ledger.note(message.key.decode(), int(message.value.partition(b" ")[0]), message.offset)
        consumer.close()

    def _consumer(self) -> KafkaConsumer:
        return KafkaConsumer(
            bootstrap_servers=self._bootstrap.split(","),
            group_id=None,
            auto_offset_reset="none",
            max_poll_records=2_000,
        )


def fill(bootstrap: str, topics: Mapping[str, int], megabytes: int) -> None:
    """Data to move: the same for every partition."""
    producer = Producer({"bootstrap.servers": bootstrap, "acks": "all", "linger.ms": 20, "batch.size": 131072})
    places = [(name, number) for name, count in topics.items() for number in range(count)]
    block = bytes(64 * 1024)
    for turn in range(megabytes * 16):
        name, number = places[turn % len(places)]
        producer.produce(name, block, partition=number)
        producer.poll(0)
    assert producer.flush(60) == 0


def commit_once(bootstrap: str) -> None:
    """Kafka makes its topic of offsets when the first group asks for it; a plan made before then would be stale."""
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": "first"})
    place = TopicPartition("orders", 0, 0)
    deadline = time.monotonic() + 30
    while True:
        try:
            consumer.commit(offsets=[place], asynchronous=False)
            break
        except KafkaException:
            assert time.monotonic() < deadline, "the offsets topic does not come up"
            time.sleep(0.2)
    consumer.close()
