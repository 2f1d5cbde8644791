"""Clusters as one meets them on bad days: domains that are uneven, irregular or unknown, full disks, lagging replicas,
one topic that outweighs all others."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from hdictl.rebalance.snapshot import Broker, Partition, Snapshot, from_document, make_snapshot, to_document
from tests.bench.rebalance_instances import FIRST, Instance, snapshot

Make = Callable[[int], Snapshot]  # from a seed


def on(everyone: Sequence[Broker], instance: Instance) -> Snapshot:
    """The start of an instance, on brokers of other domains: what was compliant there need not be so here."""
    return make_snapshot(everyone, snapshot(instance).partitions)


def uneven(seed: int) -> Snapshot:
    """Fault domains of four, three and two brokers."""
    domains = (0, 1, 2, 0, 1, 0, 0, 1, 2)
    everyone = [Broker(FIRST + number, fd, number % 5) for number, fd in enumerate(domains)]
    return on(everyone, Instance(6, 9, 360, "unaware", seed=seed))


def irregular(seed: int) -> Snapshot:
    """Domains as chance has it; each fault domain has a broker at least."""
    chance = random.Random(f"irregular/{seed}")
    fds = [0, 1, 2] + [chance.randrange(3) for _ in range(6)]
    chance.shuffle(fds)
    everyone = [Broker(FIRST + number, fd, chance.randrange(5)) for number, fd in enumerate(fds)]
    return on(everyone, Instance(6, 9, 360, "unaware", seed=seed))


def unknown(seed: int, *, has_racks: bool) -> Snapshot:
    """As HDInsight 5.1 tells them at times: −1."""
    document = to_document(snapshot(Instance(6, 9, 360, "unaware", seed=seed)))
    for body in document["brokers"].values():
        body.update(fd=-1, ud=-1)
        if not has_racks:
            del body["rack"]
    return from_document(document)


def shrunken(seed: int, every: int = 40) -> Snapshot:
    """Some partitions have lost a replica from their ISR."""
    start = snapshot(Instance(6, 9, 360, "compliant", seed=seed))
    partitions = (
        replace(partition, isr=partition.replicas[:-1]) if number % every == 0 else partition
        for number, partition in enumerate(start.partitions)
    )
    return replace(start, partitions=tuple(partitions))


def full_old_broker(seed: int) -> Snapshot:
    """The first broker is 85 % full, the others half."""
    start = snapshot(Instance(6, 9, 360, "unaware", seed=seed))
    used = _used(start)
    mean = round(sum(used.values()) / 6)
    return with_free(start, lambda id: round(used[id] * (15 / 85 if id == FIRST else 1)) if used[id] else 2 * mean)


def small_new_broker(seed: int) -> Snapshot:
    """One of the new brokers has room for half of its fair share of bytes."""
    start = snapshot(Instance(6, 9, 360, "compliant", seed=seed))
    fair = sum(_used(start).values()) // 9
    last = FIRST + 8
    return with_free(start, lambda id: fair // 2 if id == last else 3 * fair)


def with_free(start: Snapshot, free: Callable[[int], int]) -> Snapshot:
    return replace(start, brokers=tuple(replace(broker, free=free(broker.id)) for broker in start.brokers))


def _used(start: Snapshot) -> Counter[int]:
    used: Counter[int] = Counter()
    for partition in start.partitions:
        used.update(dict.fromkeys(partition.replicas, partition.size))
    return used


def outlier(seed: int) -> Snapshot:
    """The first topic alone has 1 TB."""
    start = snapshot(Instance(6, 9, 360, "unaware", seed=seed))
    first = [partition for partition in start.partitions if partition.topic == "topic-0000"]
    grow = 1e12 / sum(partition.size for partition in first)
    return replace(start, partitions=tuple(_grown(partition, grow) for partition in start.partitions))


def _grown(partition: Partition, by: float) -> Partition:
    return replace(partition, size=round(partition.size * by)) if partition.topic == "topic-0000" else partition


def mixed(seed: int) -> Snapshot:
    """Every third topic has two replicas."""
    start = snapshot(Instance(6, 9, 360, "unaware", seed=seed))
    partitions = (
        replace(partition, replicas=partition.replicas[:2], isr=partition.replicas[:2])
        if int(partition.topic[-4:]) % 3 == 0
        else partition
        for partition in start.partitions
    )
    return replace(start, partitions=tuple(partitions))
