"""The Kafka clients that every target uses, over whatever endpoint it has."""

from __future__ import annotations

from contextlib import AbstractContextManager

from hdictl.drivers.kafka import admin as kafka_admin
from hdictl.drivers.kafka import records as kafka_records
from hdictl.ports.kafka import ClusterReader, ClusterWriter, Endpoint, RecordStream


class KafkaClients:
    def endpoint(self, cluster: str) -> Endpoint:
        raise NotImplementedError

    def reader(self, cluster: str) -> AbstractContextManager[ClusterReader]:
        return kafka_admin.connect(self.endpoint(cluster))

    def writer(self, cluster: str) -> AbstractContextManager[ClusterWriter]:
        return kafka_admin.connect(self.endpoint(cluster))

    def records(self, cluster: str) -> AbstractContextManager[RecordStream]:
        return kafka_records.records(self.endpoint(cluster))
