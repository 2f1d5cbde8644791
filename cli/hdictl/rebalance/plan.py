"""A rebalance plan: where every replica goes, what that costs, and how far it is from the best there can be.

A value and a JSON file. It carries both placements, so that what was is never lost: a rollback needs nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from hdictl.rebalance.snapshot import Broker, PartitionKey

_TOLERANCE = 1e-6
Kind = Literal["balance", "repair", "drain", "replication", "rollback"]


@dataclass(frozen=True)
class Step:
    """One partition whose replica list changes: data moves, or only the order (the preferred leader) does."""

    topic: str
    partition: int
    before: tuple[int, ...]
    after: tuple[int, ...]
    size: int

    @property
    def key(self) -> PartitionKey:
        return (self.topic, self.partition)

    @property
    def adding(self) -> tuple[int, ...]:
        return tuple(broker for broker in self.after if broker not in self.before)

    @property
    def removing(self) -> tuple[int, ...]:
        return tuple(broker for broker in self.before if broker not in self.after)

    @property
    def moves(self) -> int:
        return len(self.adding)

    @property
    def bytes(self) -> int:
        return self.size * len(self.adding)

    @property
    def is_leader_change(self) -> bool:
        return self.before[0] != self.after[0]


@dataclass(frozen=True)
class Violation:
    """A rule that the planned placement does not keep, and why not."""

    rule: Literal["fd", "ud", "replicas", "leaders", "topic", "bytes", "disk"]
    where: str  # `orders/3`, `broker 1004`, `orders on 1004`
    reason: str


@dataclass(frozen=True)
class Certificate:
    """No plan under the same constraints moves fewer replicas, or fewer bytes, than this."""

    moves: int
    bytes: int
    constraints: str  # in words: a bound without them says nothing


@dataclass(frozen=True)
class Load:
    """One broker, before or after."""

    replicas: int
    leaders: int
    bytes: int


@dataclass(frozen=True)
class BrokerChange:
    """One broker, before and after, against its fair share."""

    broker: Broker
    before: Load
    after: Load
    fair_replicas: float
    fair_leaders: float
    fair_bytes: float
    inbound: int  # bytes that arrive
    outbound: int  # bytes that its replicas send as sources: of each move, from the partition's leader


@dataclass(frozen=True)
class Spread:
    """The farthest that any broker is from its fair share."""

    replicas: float
    leaders: float
    topic: float
    bytes: float  # as a part of the fair share: 0.1 is ten per cent


@dataclass(frozen=True)
class RebalancePlan:
    kind: Kind
    cluster: str
    cluster_id: str
    fingerprint: str  # of the snapshot that it was made from
    steps: tuple[Step, ...]  # by topic and partition
    untouched: Mapping[PartitionKey, tuple[int, ...]]  # all other partitions
    brokers: tuple[BrokerChange, ...]
    spread_before: Spread
    spread: Spread
    violations_before: tuple[Violation, ...]
    violations: tuple[Violation, ...]
    certificate: Certificate
    notes: tuple[str, ...]  # what a person should know: unknown domains, soft rules, a starved broker
    is_replication_change: bool = False
    seconds: float = 0.0

    @cached_property
    def moves(self) -> int:
        return sum(step.moves for step in self.steps)

    @cached_property
    def bytes(self) -> int:
        return sum(step.bytes for step in self.steps)

    @cached_property
    def leader_changes(self) -> int:
        return sum(step.is_leader_change for step in self.steps)

    @property
    def is_empty(self) -> bool:
        return not self.steps

    @property
    def gap(self) -> dict[str, float]:
        """How far above the bound, as a part of it: 0.01 is one per cent."""
        return {
            "moves": _over(self.moves, self.certificate.moves),
            "bytes": _over(self.bytes, self.certificate.bytes),
        }

    @cached_property
    def placement(self) -> dict[PartitionKey, tuple[int, ...]]:
        """Every partition's replicas once the plan is carried out."""
        return {**self.untouched, **{step.key: step.after for step in self.steps}}

    @cached_property
    def original(self) -> dict[PartitionKey, tuple[int, ...]]:
        return {**self.untouched, **{step.key: step.before for step in self.steps}}


def _over(value: int, bound: int) -> float:
    """The bound is rounded down by the solver's tolerance, which is no gap."""
    return 0.0 if value <= bound * (1 + _TOLERANCE) else float("inf") if bound == 0 else value / bound - 1
