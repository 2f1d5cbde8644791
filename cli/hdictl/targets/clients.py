"""The Kafka clients that every target uses, over whatever endpoint it has."""

from __future__ import annotations

from contextlib import AbstractContextManager

from hdictl.drivers.kafka import admin as kafka_admin
from hdictl.drivers.kafka import journal_topic
from hdictl.drivers.kafka import offsets as kafka_offsets
from hdictl.drivers.kafka import reassignment as kafka_reassignment
from hdictl.drivers.kafka import records as kafka_records
from hdictl.ports.journal import JournalStore
from hdictl.ports.kafka import ClusterReader, ClusterWriter, Endpoint, RecordStream
from hdictl.ports.offsets import OffsetWriter
from hdictl.ports.reassignment import PlacementReader, PlacementWriter


class KafkaClients:
    def endpoint(self, cluster: str) -> Endpoint:
        raise NotImplementedError

    def reader(self, cluster: str) -> AbstractContextManager[ClusterReader]:
        return kafka_admin.connect(self.endpoint(cluster))

    def writer(self, cluster: str) -> AbstractContextManager[ClusterWriter]:
        return kafka_admin.connect(self.endpoint(cluster))

    def records(self, cluster: str) -> AbstractContextManager[RecordStream]:
        return kafka_records.records(self.endpoint(cluster))

    def placement_reader(self, cluster: str) -> AbstractContextManager[PlacementReader]:
        return kafka_reassignment.connect(self.endpoint(cluster))

    def placement_writer(self, cluster: str) -> AbstractContextManager[PlacementWriter]:
        return kafka_reassignment.connect(self.endpoint(cluster))

    def offsets(self, cluster: str) -> AbstractContextManager[OffsetWriter]:
        return kafka_offsets.connect(self.endpoint(cluster))

    def journal(self, cluster: str) -> AbstractContextManager[JournalStore]:
        return journal_topic.connect(self.endpoint(cluster))
