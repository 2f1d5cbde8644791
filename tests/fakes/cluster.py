"""A Kafka cluster in memory, for the pure tests of planning and applying; it can be told to break."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from hdictl.errors import KafkaUnreachable
from hdictl.plan.observed import Assignment, ObservedBroker, ObservedCluster, ObservedTopic
from hdictl.ports.kafka import Endpoint, NewTopic
from hdictl.ports.progress import Progress
from hdictl.rebalance.topology import Domains


def brokers(count: int, fault_domains: int = 3, update_domains: int = 5) -> tuple[ObservedBroker, ...]:
    return tuple(
        ObservedBroker(
            1001 + i, "127.0.0.1", 9092 + i, f"/fd{i % fault_domains}", i % fault_domains, i % update_domains
        )
        for i in range(count)
    )


class MemoryCluster:
    """A `ClusterWriter`. `dies_after` requests it answers no more, as a broker that was killed."""

    def __init__(self, name: str = "ingest", count: int = 3, cluster_id: str = "id-1") -> None:
        self.observed = ObservedCluster(name, cluster_id, 1001, brokers(count), {})
        self.dies_after: int | None = None
        self.interrupts_after: int | None = None
        self.requests: list[str] = []

    def observe(self) -> ObservedCluster:
        return self.observed

    def create_topics(self, topics: Sequence[NewTopic]) -> Mapping[str, str | None]:
        self._request("create")
        outcome: dict[str, str | None] = {}
        for topic in topics:
            if topic.name in self.observed.topics:
                outcome[topic.name] = "TopicAlreadyExists: somebody made it meanwhile"
                continue
            self._put(ObservedTopic(topic.name, topic.assignment, dict(topic.config)))
            outcome[topic.name] = None
        return outcome

    def add_partitions(self, topic: str, total: int, added: Assignment) -> None:
        self._request("partitions")
        living = self.observed.topics[topic]
        assert total == living.partitions + len(added)
        self._put(replace(living, assignment=(*living.assignment, *added)))

    def alter_config(self, topic: str, changes: Mapping[str, str | None]) -> None:
        self._request("config")
        living = self.observed.topics[topic]
        merged = {**living.config, **changes}
        self._put(replace(living, config={key: value for key, value in merged.items() if value is not None}))

    def delete_topics(self, topics: Sequence[str]) -> None:
        self._request("delete")
        left = {name: topic for name, topic in self.observed.topics.items() if name not in topics}
        self.observed = replace(self.observed, topics=left)

    def settle(self, partitions: Mapping[str, int]) -> None:
        for name, count in partitions.items():
            assert (self.observed.topics[name].partitions if name in self.observed.topics else 0) == count

    def _put(self, topic: ObservedTopic) -> None:
        self.observed = replace(self.observed, topics={**self.observed.topics, topic.name: topic})

    def _request(self, kind: str) -> None:
        if self.dies_after is not None and len(self.requests) >= self.dies_after:
            raise KafkaUnreachable("no broker answers", where="cluster `ingest`", fix="hdictl status")
        if self.interrupts_after is not None and len(self.requests) >= self.interrupts_after:
            raise KeyboardInterrupt
        self.requests.append(kind)


class MemoryTarget:
    """A `Target` over clusters in memory."""

    name = "local"

    def __init__(self, *clusters: MemoryCluster) -> None:
        self.clusters = {cluster.observed.cluster: cluster for cluster in clusters}

    def infrastructure(self) -> None:
        """These clusters are simply there."""

    def endpoint(self, cluster: str) -> Endpoint:
        known = self.clusters[cluster].observed
        domains = {b.id: (b.fd, b.ud) for b in known.brokers if b.fd is not None and b.ud is not None}
        return Endpoint(cluster, "127.0.0.1:9092", domains)

    def domains(self, cluster: str, brokers: Sequence[ObservedBroker], progress: Progress) -> Domains:
        return Domains(self.endpoint(cluster).domains)

    def free_bytes(self, cluster: str) -> Mapping[int, int]:
        return {}

    @contextmanager
    def reader(self, cluster: str) -> Iterator[MemoryCluster]:
        yield self.clusters[cluster]

    writer = reader
