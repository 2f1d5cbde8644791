"""A Kafka cluster in memory whose replicas take time to move: throttled, with brokers that die and come back.

Time passes only while somebody waits. `Line` is one process's way to it; when its fuse burns down the process is dead,
in the middle of whatever it was doing, without a chance to tidy up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from hdictl.plan.observed import ObservedBroker, ObservedCluster
from hdictl.ports.progress import Progress
from hdictl.ports.reassignment import Placement
from hdictl.rebalance.journal import Entry, Journal, after
from hdictl.rebalance.lease import Owner
from hdictl.rebalance.placed import Ongoing, Placed
from hdictl.rebalance.snapshot import PartitionKey
from hdictl.rebalance.throttle import RATES, REPLICAS, Settings
from hdictl.rebalance.topology import Domains
from hdictl.workflow.rebalance.lock import Claim
from hdictl.workflow.rebalance.pace import Pace
from hdictl.workflow.rebalance.work import Work

MB = 1_000_000
_UNTHROTTLED = 200 * MB  # bytes a second


class Killed(BaseException):
    """kill -9: nothing is caught, nothing is tidied up."""


@dataclass
class MovingCluster:
    """A `PlacementWriter`."""

    partitions: dict[PartitionKey, Placed]
    size: int = 10 * MB
    away: set[int] = field(default_factory=set)
    silent: set[int] = field(default_factory=set)  # dead, and nobody has noticed yet
    domains: dict[int, tuple[int, int]] = field(default_factory=dict)
    brokers: tuple[int, ...] = (1001, 1002, 1003, 1004, 1005, 1006)
    broker_settings: dict[int, dict[str, str]] = field(default_factory=dict)
    topic_settings: dict[str, dict[str, str]] = field(default_factory=dict)
    clock: float = 1000.0
    journal: Journal = field(default_factory=Journal)
    happens: Callable[[MovingCluster], None] | None = None  # whenever a moment has passed
    least_isr: int = 99
    rates_seen: set[str] = field(default_factory=set)
    old_news: tuple[Placement, float] | None = None  # what brokers tell of replicas, until that time

    def __post_init__(self) -> None:
        self.moves: dict[PartitionKey, Ongoing] = {}
        self.left: tuple[int, ...] = ()
        self.copied: dict[tuple[PartitionKey, int], int] = {}

    def pass_time(self, seconds: float) -> None:
        self.clock += seconds
        for key, move in list(self.moves.items()):
            for broker in move.adding:
                if broker not in self.away:
                    self._copy(key, broker, seconds)
            self._complete(key, move)
        self.least_isr = min(self.least_isr, *(len(placed.isr - self.away) for placed in self.partitions.values()))
        if self.happens is not None:
            self.happens(self)

    def _copy(self, key: PartitionKey, broker: int, seconds: float) -> None:
        named = self.topic_settings.get(key[0], {}).get(REPLICAS[1], "").split(",")
        rate = self.broker_settings.get(broker, {}).get(RATES[1])
        allowed = int(rate) if rate is not None and f"{key[1]}:{broker}" in named else _UNTHROTTLED
        self.rates_seen.add(str(allowed))
        done = min(self.size, self.copied.get((key, broker), 0) + int(allowed * seconds))
        self.copied[(key, broker)] = done
        if done == self.size:
            placed = self.partitions[key]
            self.partitions[key] = replace(placed, isr=placed.isr | {broker})

    def _complete(self, key: PartitionKey, move: Ongoing) -> None:
        placed = self.partitions[key]
        if set(move.target) <= placed.isr - self.away:
            leader = placed.leader if placed.leader in move.target else move.target[0]
            self.partitions[key] = Placed(move.target, frozenset(move.target), leader)
            del self.moves[key]

    def kill(self, broker: int) -> None:
        self.away.add(broker)
        for key, placed in self.partitions.items():
            isr = placed.isr - {broker} or placed.isr
            leader = (
                next((id for id in placed.replicas if id in isr), None) if placed.leader == broker else placed.leader
            )
            self.partitions[key] = Placed(placed.replicas, isr, leader)

    def revive(self, broker: int) -> None:
        self.away.discard(broker)
        for key, placed in self.partitions.items():
            arriving = self.moves[key].adding if key in self.moves else ()
            if broker in placed.replicas and broker not in arriving:
                self.partitions[key] = replace(placed, isr=placed.isr | {broker})

    # What a `PlacementReader` answers.

    def placement(self) -> Placement:
        if self.old_news is not None and self.clock < self.old_news[1]:
            return self.old_news[0]
        living = {broker: None for broker in self.brokers if broker not in self.away}
        return Placement("cluster-1", min(living), living, dict(self.partitions))

    agreed = placement

    def living(self) -> frozenset[int]:
        return frozenset(self.brokers) - self.away

    def sizes(
        self, brokers: Collection[int] | None = None, partitions: Collection[PartitionKey] | None = None
    ) -> Mapping[int, Mapping[PartitionKey, int]]:
        found: dict[int, dict[PartitionKey, int]] = {id: {} for id in brokers or self.brokers if id not in self.away}
        for key, placed in self.partitions.items():
            for broker in set(placed.replicas) & set(found):
                arriving = key in self.moves and broker in self.moves[key].adding
                found[broker][key] = self.copied.get((key, broker), 0) if arriving else self.size
        return found

    def ongoing(self) -> Mapping[PartitionKey, Ongoing]:
        return dict(self.moves)

    def broker_throttles(self, brokers: Collection[int]) -> Mapping[int, Settings]:
        return {
            id: {**dict.fromkeys(RATES), **self.broker_settings.get(id, {})}
            for id in brokers
            if id not in self.away | self.silent
        }

    def topic_throttles(self, topics: Collection[str]) -> Mapping[str, Settings]:
        there = {topic for topic, _ in self.partitions}
        return {
            name: {**dict.fromkeys(REPLICAS), **self.topic_settings.get(name, {})} for name in topics if name in there
        }

    def min_insync(self, topics: Collection[str]) -> Mapping[str, int]:
        return dict.fromkeys(topics, 2)

    # What a `PlacementWriter` does.

    def reassign(self, targets: Mapping[PartitionKey, tuple[int, ...] | None]) -> Mapping[PartitionKey, str]:
        refused = {}
        for key, target in targets.items():
            placed = self.partitions.get(key)
            if placed is None:
                refused[key] = "The partition does not exist."
            elif target is None:
                self._call_off(key)
            elif set(target) - set(placed.replicas) & self.away:
                refused[key] = "Replica assignment has brokers that are not alive."
            else:
                self._begin(key, target)
        return refused

    def _begin(self, key: PartitionKey, target: tuple[int, ...]) -> None:
        self._call_off(key)
        placed = self.partitions[key]
        adding = tuple(id for id in target if id not in placed.replicas)
        removing = tuple(id for id in placed.replicas if id not in target)
        # The same order as Kafka's: where it goes, then where it comes from.
        together = tuple(dict.fromkeys((*target, *placed.replicas)))
        self.partitions[key] = replace(placed, replicas=together)
        self.moves[key] = Ongoing(together, adding, removing)
        self._complete(key, self.moves[key])

    def _call_off(self, key: PartitionKey) -> None:
        move = self.moves.pop(key, None)
        if move is None:
            return
        placed = self.partitions[key]
        left = tuple(id for id in placed.replicas if id not in move.adding)
        self.partitions[key] = replace(placed, replicas=left, isr=placed.isr & set(left))
        for broker in move.adding:
            self.copied.pop((key, broker), None)

    def elect(self, partitions: Collection[PartitionKey]) -> Mapping[PartitionKey, str]:
        refused = {}
        for key in partitions:
            placed = self.partitions[key]
            if placed.replicas[0] in placed.isr - self.away:
                self.partitions[key] = replace(placed, leader=placed.replicas[0])
            else:
                refused[key] = "the first replica is not in sync"
        return refused

    def set_brokers(self, changes: Mapping[int, Settings]) -> Mapping[int, str]:
        for broker, settings in changes.items():
            if broker not in self.away | self.silent:
                _set(self.broker_settings.setdefault(broker, {}), settings)
        return {broker: "it is away" for broker in changes if broker in self.away | self.silent}

    def set_topics(self, changes: Mapping[str, Settings]) -> Mapping[str, str]:
        there = {topic for topic, _ in self.partitions}
        for topic, settings in changes.items():
            if topic in there:
                _set(self.topic_settings.setdefault(topic, {}), settings)
        return {topic: "it does not exist" for topic in changes if topic not in there}

    # What a `JournalStore` does.

    def read(self) -> Journal:
        return self.journal

    def create(self) -> None: ...

    def leave(self, brokers: Collection[int]) -> None:
        self.left = tuple(brokers)

    def append(self, entries: Collection[Entry]) -> Journal:
        self.journal = after(self.journal, [replace(entry, time=int(self.clock * 1000)) for entry in entries])
        return self.journal

    # What a `ClusterReader` tells of the brokers.

    def observe(self) -> ObservedCluster:
        brokers = tuple(ObservedBroker(id, "127.0.0.1", id) for id in self.brokers if id not in self.away)
        return ObservedCluster("ingest", "cluster-1", 1001, brokers, {})


def _set(known: dict[str, str], settings: Settings) -> None:
    for key, value in settings.items():
        if value is None:
            known.pop(key, None)
        else:
            known[key] = value


class Line:
    """One process. After `fuse` requests it is dead: the last one reached the cluster, or it did not."""

    def __init__(self, cluster: MovingCluster, fuse: int | None = None, *, reaches: bool = True) -> None:
        self._cluster = cluster
        self._fuse = fuse
        self._reaches = reaches
        self.requests = 0
        self.is_dead = False

    def __getattr__(self, name: str) -> Any:
        request = getattr(self._cluster, name)

        def asked(*arguments: Any) -> Any:
            self.requests += 1
            if self.is_dead or (self._fuse is not None and self.requests >= self._fuse):
                if self._reaches and not self.is_dead:
                    request(*arguments)
                self.is_dead = True
                raise Killed
            return request(*arguments)

        return asked


class MovingTarget:
    """As much of a `Target` as a rebalance needs."""

    name = "local"

    def __init__(self, line: Any, domains: Mapping[int, tuple[int, int]] | None = None) -> None:
        self._line = line
        self._domains = domains or {}

    @contextmanager
    def placement_reader(self, cluster: str) -> Iterator[Any]:
        yield self._line

    placement_writer = journal = reader = placement_reader

    def domains(self, cluster: str, brokers: object, progress: Progress) -> Domains:
        return Domains(self._domains)

    def free_bytes(self, cluster: str) -> Mapping[int, int]:
        return {}


def owner(name: str, machine: str = "here") -> Owner:
    return Owner(name, machine, machine, 1, 0.0)


def work(cluster: MovingCluster, name: str, progress: Progress, line: Line | None = None, **claim: Any) -> Work:
    """Somebody's way to work on it. Whoever worked before is gone, unless the claim says otherwise."""
    pace = Pace(now=lambda: cluster.clock, clock=lambda: cluster.clock, pause=cluster.pass_time)
    wanted = {"is_gone": lambda _: True, **claim}
    target: Any = MovingTarget(line or Line(cluster), cluster.domains)
    return Work(target, "ingest", Claim(owner(name, wanted.pop("machine", "here")), **wanted), progress, pace)
