"""Whether a Kafka cluster can stand the loss of one more broker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class KafkaHealth:
    """As the brokers tell it: a broker is here when all of them say so, a partition in trouble when one says so."""

    brokers: Mapping[int, str]  # registered: id → host that it tells clients
    controller: int | None
    under_replicated: frozenset[tuple[str, int]]  # (topic, partition); Kafka's own topics too
    offline: frozenset[tuple[str, int]]  # without a leader
    replicas: Mapping[str, int]  # topic → how many each of its partitions has, at least

    @property
    def lacking(self) -> frozenset[tuple[str, int]]:
        """Partitions that would suffer if one more broker went away."""
        return self.under_replicated | self.offline


class HealthReader(Protocol):
    def health(self) -> KafkaHealth: ...
