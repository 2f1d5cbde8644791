"""Where the replicas of new partitions go: over fault domains, then update domains, then brokers, leaders in turn.

Pure and deterministic. Kafka on HDInsight knows nothing of fault domains and may put every replica of a partition into
one; placing replicas when they are made costs nothing, moving them later costs the data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hdictl.plan.observed import Assignment, ObservedBroker, ObservedTopic
from hdictl.rebalance.topology import Pair


@dataclass
class Load:
    """How many replicas and leaders each broker already carries."""

    replicas: Counter[int] = field(default_factory=Counter)
    leaders: Counter[int] = field(default_factory=Counter)

    def add(self, assignment: Assignment) -> None:
        for replicas in assignment:
            self.replicas.update(replicas)
            self.leaders[replicas[0]] += 1


def load_of(topics: Iterable[ObservedTopic]) -> Load:
    load = Load()
    for topic in topics:
        load.add(topic.assignment)
    return load


def place(
    count: int, replication: int, brokers: Sequence[ObservedBroker], load: Load, existing: Assignment = ()
) -> Assignment:
    """Replica lists for `count` new partitions; `load` is brought up to date. `existing` are the topic's others."""
    if replication > len(brokers):
        raise ValueError(f"{replication} replicas do not fit on {len(brokers)} brokers")
    topic = Load()
    topic.add(existing)
    added = []
    for _ in range(count):
        chosen = _choose(replication, brokers, topic, load)
        leader = min(
            chosen, key=lambda broker: (topic.leaders[broker], load.leaders[broker], load.replicas[broker], broker)
        )
        followers = sorted(
            (broker for broker in chosen if broker != leader),
            key=lambda broker: (topic.replicas[broker], load.replicas[broker], broker),
        )
        replicas = (leader, *followers)
        topic.add((replicas,))
        load.add((replicas,))
        added.append(replicas)
    return tuple(added)


def _choose(replication: int, brokers: Sequence[ObservedBroker], topic: Load, load: Load) -> tuple[int, ...]:
    """The least loaded set of brokers among those with the widest spread."""
    ranked = sorted(brokers, key=lambda b: (topic.replicas[b.id], load.replicas[b.id], load.leaders[b.id], b.id))
    fault_domains = min(replication, len({b.fd for b in brokers}))
    update_domains = min(replication, len({b.ud for b in brokers}))
    # The widest spread that this set of brokers allows: fault domains come before update domains.
    for wanted_fd in range(fault_domains, 0, -1):
        for wanted_ud in range(update_domains, 0, -1):
            found = _search(ranked, replication, wanted_fd, wanted_ud, ())
            if found is not None:
                return tuple(broker.id for broker in found)
    raise AssertionError("one fault domain and one update domain are always possible")


def _search(
    ranked: Sequence[ObservedBroker], left: int, wanted_fd: int, wanted_ud: int, taken: tuple[ObservedBroker, ...]
) -> tuple[ObservedBroker, ...] | None:
    """Depth first in order of load: the first set found is the least loaded one of its kind, or near to it."""
    fault_domains = {broker.fd for broker in taken}
    update_domains = {broker.ud for broker in taken}
    if left == 0:
        return taken if len(fault_domains) >= wanted_fd and len(update_domains) >= wanted_ud else None
    # Each replica still to come adds at most one new domain of either kind.
    if len(fault_domains) + left < wanted_fd or len(update_domains) + left < wanted_ud:
        return None
    for index, broker in enumerate(ranked):
        found = _search(ranked[index + 1 :], left - 1, wanted_fd, wanted_ud, (*taken, broker))
        if found is not None:
            return found
    return None


def with_domains(
    brokers: Sequence[ObservedBroker], domains: Mapping[int, Pair]
) -> tuple[tuple[ObservedBroker, ...], str | None]:
    """Brokers with the best domains known, and a warning when replicas can be spread over brokers only.

    Topology first, `broker.rack` second. Negative domains occur on living HDInsight clusters and mean nothing.
    """
    fault = {broker: fd for broker, (fd, _) in domains.items() if fd is not None and fd >= 0}
    update = {broker: ud for broker, (_, ud) in domains.items() if ud is not None and ud >= 0}
    if all(broker.id in fault for broker in brokers):
        if all(broker.id in update for broker in brokers):
            return tuple(replace(b, fd=fault[b.id], ud=update[b.id]) for b in brokers), None
        by_fault = tuple(replace(b, fd=fault[b.id], ud=None) for b in brokers)
        return by_fault, "update domains are unknown: replicas are spread over fault domains and brokers only"
    if brokers and all(broker.rack for broker in brokers):
        racks = {rack: number for number, rack in enumerate(sorted({str(b.rack) for b in brokers}))}
        by_rack = tuple(replace(b, fd=racks[str(b.rack)], ud=None) for b in brokers)
        return by_rack, "update domains are unknown: replicas are spread over racks and brokers only"
    alone = tuple(replace(b, fd=None, ud=None) for b in brokers)
    return alone, "fault and update domains are unknown: replicas are spread over brokers only"


def spread_violations(assignment: Assignment, brokers: Sequence[ObservedBroker]) -> tuple[int, int]:
    """How many partitions use fewer fault domains, and fewer update domains, than they could."""
    fd, ud = {b.id: b.fd for b in brokers}, {b.id: b.ud for b in brokers}
    all_fd, all_ud = len(set(fd.values())), len(set(ud.values()))
    missed_fd = sum(1 for r in assignment if len({fd[b] for b in r}) < min(len(r), all_fd))
    missed_ud = sum(1 for r in assignment if len({ud[b] for b in r}) < min(len(r), all_ud))
    return missed_fd, missed_ud
