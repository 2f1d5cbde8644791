"""Where the replicas of a living cluster are, and how they are moved.

Those who decide get a `PlacementReader`; only who carries a plan out gets a `PlacementWriter`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

from hdictl.rebalance.placed import Ongoing, Placed
from hdictl.rebalance.snapshot import PartitionKey
from hdictl.rebalance.throttle import Settings


@dataclass(frozen=True)
class Placement:
    """As the controller tells it: every topic but the journal's own."""

    cluster_id: str
    controller: int
    racks: Mapping[int, str | None]  # living brokers
    partitions: Mapping[PartitionKey, Placed]

    @property
    def brokers(self) -> frozenset[int]:
        return frozenset(self.racks)


class PlacementReader(Protocol):
    def placement(self) -> Placement: ...

    def agreed(self) -> Placement:
        """What all brokers agree on: an in-sync replica, or a leader, that one of them does not know of is none."""

    def living(self) -> frozenset[int]:
        """The brokers alone: cheap, for those who ask often."""

    def sizes(
        self, brokers: Collection[int] | None = None, partitions: Collection[PartitionKey] | None = None
    ) -> Mapping[int, Mapping[PartitionKey, int]]:
        """Broker → bytes of each of its replicas; a broker that does not answer is left out. None: all."""

    def ongoing(self) -> Mapping[PartitionKey, Ongoing]: ...

    def broker_throttles(self, brokers: Collection[int]) -> Mapping[int, Settings]:
        """The rates as they are set; a broker that does not answer is left out."""

    def topic_throttles(self, topics: Collection[str]) -> Mapping[str, Settings]: ...

    def min_insync(self, topics: Collection[str]) -> Mapping[str, int]: ...


class PlacementWriter(PlacementReader, Protocol):
    """Every answer names what was refused, with the reason; what is not named was taken."""

    def reassign(self, targets: Mapping[PartitionKey, tuple[int, ...] | None]) -> Mapping[PartitionKey, str]:
        """None: a move under way is called off."""

    def elect(self, partitions: Collection[PartitionKey]) -> Mapping[PartitionKey, str]:
        """The preferred replica becomes the leader."""

    def set_brokers(self, changes: Mapping[int, Settings]) -> Mapping[int, str]:
        """None takes a setting away. Each broker answers for itself: one that is away holds up no other."""

    def set_topics(self, changes: Mapping[str, Settings]) -> Mapping[str, str]: ...
