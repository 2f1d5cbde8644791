"""A Kafka of this machine, with events in it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hdictl.drivers.kafka.admin import connect
from hdictl.drivers.kafka.records import KafkaRecords
from hdictl.drivers.local.platform import LocalPlatform
from hdictl.ports.kafka import Endpoint, NewTopic, Record
from hdictl.ports.machine import BrokerSpec, ClusterStatus, KafkaSpec
from hdictl.ports.progress import Silent

BROKERS = 3
PARTITIONS = 4


@dataclass(frozen=True)
class Cluster:
    endpoint: Endpoint

    @property
    def bootstrap(self) -> str:
        return self.endpoint.bootstrap

    def make(self, *names: str) -> None:
        """One replica each: what is measured is Spark, not replication on two cores.

        The broker's clock says when a record has arrived, not whoever has written it.
        """
        assignment = tuple((1001 + number % BROKERS,) for number in range(PARTITIONS))
        settings = {"min.insync.replicas": "1", "message.timestamp.type": "LogAppendTime"}
        with connect(self.endpoint) as kafka:
            kafka.create_topics([NewTopic(name, assignment, settings) for name in names])
            kafka.settle(dict.fromkeys(names, PARTITIONS))

    def fill(
        self,
        topic: str,
        events: Iterable[dict[str, object]],
        write: Callable[[dict[str, object]], bytes],
        key: str | None = None,
    ) -> int:
        """Keyed by a field, by default the first: what identifies an event."""
        messages = ((str(event[key or next(iter(event))]).encode(), write(event)) for event in events)
        return KafkaRecords(self.endpoint).write(topic, messages)

    def read(self, topic: str) -> Iterator[Record]:
        return KafkaRecords(self.endpoint).read(topic, from_beginning=True, limit=None, follow=False)


@contextmanager
def kafka_status() -> Iterator[ClusterStatus]:
    spec = KafkaSpec("bench", tuple(BrokerSpec(1001 + number, number, number) for number in range(BROKERS)))
    with tempfile.TemporaryDirectory() as folder:
        platform = LocalPlatform("bench-pipelines", Path(folder, "bench"))
        try:
            (status,) = platform.up([spec], Silent())
            yield status
        finally:
            platform.down(keep_data=False, progress=Silent())


@contextmanager
def cluster() -> Iterator[Cluster]:
    with kafka_status() as status:
        yield Cluster(Endpoint("bench", status.bootstrap))
