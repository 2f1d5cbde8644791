"""A Kafka cluster: how it is reached, read and written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from hdictl.plan.observed import Assignment, ObservedCluster
from hdictl.ports.health import HealthReader


@dataclass(frozen=True)
class Endpoint:
    """How clients reach a cluster, and what the cluster itself does not say about its brokers."""

    cluster: str
    bootstrap: str
    domains: Mapping[int, tuple[int, int]] = field(default_factory=dict)  # broker id → (fd, ud)
    cluster_id: str | None = None  # pinned: no other cluster may answer here
    proxy: str | None = None  # socks5h://host:port


@dataclass(frozen=True)
class NewTopic:
    name: str
    assignment: Assignment  # one tuple of broker ids a partition, leader first
    config: Mapping[str, str]


class ClusterReader(HealthReader, Protocol):
    def observe(self) -> ObservedCluster: ...


class ClusterWriter(ClusterReader, Protocol):
    def create_topics(self, topics: Sequence[NewTopic]) -> Mapping[str, str | None]:
        """Name → error text, or None when it was made."""

    def add_partitions(self, topic: str, total: int, added: Assignment) -> None: ...

    def alter_config(self, topic: str, changes: Mapping[str, str | None]) -> None:
        """Set values; None takes the override away."""

    def delete_topics(self, topics: Sequence[str]) -> None: ...

    def settle(self, partitions: Mapping[str, int]) -> None:
        """Wait until every broker knows these topics with that many led partitions; 0 means gone."""


@dataclass(frozen=True)
class Record:
    partition: int
    offset: int
    timestamp: int
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes | None], ...] = ()


class RecordStream(Protocol):
    """The data plane of one cluster."""

    def read(self, topic: str, *, from_beginning: bool, limit: int | None, follow: bool) -> Iterator[Record]: ...

    def write(self, topic: str, records: Iterable[tuple[bytes | None, bytes | None]]) -> int:
        """Returns how many were acknowledged by all in-sync replicas."""

    def send(self, topic: str, records: Iterable[Record]) -> int:
        """The same with headers; partition, offset and time are given anew."""
