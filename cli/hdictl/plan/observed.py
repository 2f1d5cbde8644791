"""What was seen in a living Kafka cluster, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

# One entry a partition, in order: the broker ids of its replicas, the preferred leader first.
Assignment = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class ObservedBroker:
    id: int
    host: str
    port: int
    rack: str | None = None
    fd: int | None = None  # None: unknown, never guessed
    ud: int | None = None


@dataclass(frozen=True)
class ObservedTopic:
    name: str
    assignment: Assignment
    config: Mapping[str, str] = field(default_factory=dict)  # topic-level overrides only

    @property
    def partitions(self) -> int:
        return len(self.assignment)

    @property
    def replication(self) -> int:
        """The smallest replica list, so that one partition that lacks a replica is seen."""
        return min((len(replicas) for replicas in self.assignment), default=0)


@dataclass(frozen=True)
class ObservedCluster:
    cluster: str
    cluster_id: str
    controller: int | None
    brokers: tuple[ObservedBroker, ...]
    topics: Mapping[str, ObservedTopic]
