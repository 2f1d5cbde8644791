"""Clusters to plan for, from a seed: Azure's domains in turn, log-normal sizes, and the starts that one meets.

`compliant` is what hdictl makes, `unaware` what Kafka makes without racks (HDInsight's default), `rack` what Kafka
makes with broker.rack = fault domain.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from hdictl.plan.observed import ObservedBroker
from hdictl.rebalance.placement import Load, place
from hdictl.rebalance.snapshot import Broker, Partition, Snapshot, make_snapshot

FIRST = 1001
_MEDIAN_BYTES = 2e9  # of a partition
_SIGMA_TOPICS = 1.5
_SIGMA_PARTITIONS = 0.6


@dataclass(frozen=True)
class Instance:
    old: int
    new: int
    partitions: int
    start: str = "compliant"
    replication: int = 3
    a_topic: int = 12
    fault_domains: int = 3
    update_domains: int = 5
    seed: int = 0

    @property
    def name(self) -> str:
        rf = "" if self.replication == 3 else f", RF {self.replication}"
        fd = "" if self.fault_domains == 3 else f", {self.fault_domains} FDs"
        return f"{self.old}→{self.new} × {self.partitions:,} {self.start}{rf}{fd}"


def brokers(count: int, fault_domains: int = 3, update_domains: int = 5) -> list[Broker]:
    return [Broker(FIRST + i, i % fault_domains, i % update_domains, f"/fd{i % fault_domains}") for i in range(count)]


def snapshot(instance: Instance) -> Snapshot:
    chance = random.Random(f"{instance.seed}/{instance.partitions}/{instance.start}/{instance.old}")
    everyone = brokers(instance.new, instance.fault_domains, instance.update_domains)
    old, load = everyone[: instance.old], Load()
    partitions: list[Partition] = []
    for number in range(math.ceil(instance.partitions / instance.a_topic)):
        count = min(instance.a_topic, instance.partitions - number * instance.a_topic)
        lists = _start(instance, count, old, load, chance)
        median = _MEDIAN_BYTES * math.exp(chance.gauss(0, _SIGMA_TOPICS))
        for index, replicas in enumerate(lists):
            size = round(median * math.exp(chance.gauss(0, _SIGMA_PARTITIONS)))
            partitions.append(Partition(f"topic-{number:04}", index, tuple(replicas), tuple(replicas), size))
    return make_snapshot(everyone, partitions)


def _start(
    instance: Instance, count: int, old: list[Broker], load: Load, chance: random.Random
) -> Sequence[Sequence[int]]:
    if instance.start == "compliant":
        shuffled = chance.sample(old, len(old))
        observed = [ObservedBroker(b.id, "", 0, b.rack, b.fd, b.ud) for b in shuffled]
        return place(count, instance.replication, observed, load)
    if instance.start == "rack":
        return _rack_aware(count, instance.replication, old, chance)
    return _unaware(count, instance.replication, [b.id for b in old], chance)


def _unaware(count: int, replication: int, ids: list[int], chance: random.Random) -> list[list[int]]:
    """Kafka's own round robin: a random start, and a shift that grows with every round."""
    start, shift = chance.randrange(len(ids)), chance.randrange(len(ids))
    lists = []
    for partition in range(count):
        shift += partition > 0 and partition % len(ids) == 0
        first = (partition + start) % len(ids)
        followers = [ids[_follower(first, shift, number, len(ids))] for number in range(replication - 1)]
        lists.append([ids[first], *followers])
    return lists


def _follower(first: int, shift: int, number: int, count: int) -> int:
    return (first + 1 + (shift + number) % (count - 1)) % count


def _rack_aware(count: int, replication: int, old: list[Broker], chance: random.Random) -> list[list[int]]:
    """Kafka's round robin over brokers that alternate between racks, skipping racks that have a replica."""
    racks = sorted({str(b.rack) for b in old})
    by_rack = {rack: [b for b in old if b.rack == rack] for rack in racks}
    longest = max(map(len, by_rack.values()))
    ring = [by_rack[rack][i] for i in range(longest) for rack in racks if i < len(by_rack[rack])]
    start, shift = chance.randrange(len(ring)), chance.randrange(len(ring))
    lists = []
    for partition in range(count):
        shift += partition > 0 and partition % len(ring) == 0
        first = (partition + start) % len(ring)
        chosen, number = [ring[first]], 0
        while len(chosen) < replication:
            broker = ring[_follower(first, shift * len(racks), number, len(ring))]
            number += 1
            used = {b.rack for b in chosen}
            if broker not in chosen and (broker.rack not in used or len(used) == len(racks)):
                chosen.append(broker)
        lists.append([b.id for b in chosen])
    return lists
