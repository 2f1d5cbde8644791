"""A living cluster as a snapshot: brokers with domains and room, every partition with its size."""

from __future__ import annotations

from collections.abc import Mapping

from hdictl.errors import NotInSync
from hdictl.ports.progress import Progress
from hdictl.ports.reassignment import Placement, PlacementReader
from hdictl.ports.target import Target
from hdictl.rebalance.placed import Ongoing, brokers_text, listed
from hdictl.rebalance.snapshot import Broker, Partition, PartitionKey, Snapshot, make_snapshot
from hdictl.stack.units import count
from hdictl.workflow.observe import snapshot_brokers


def observe_snapshot(
    target: Target, cluster: str, progress: Progress, *, needs_all: bool = False
) -> tuple[Snapshot, tuple[str, ...]]:
    """With Kafka's own topics: they weigh like any other. And what a person should know of it. `needs_all`: a broker
    that is away and holds replicas is refused; nobody can say in which domain it is, nor move what it holds."""
    brokers, warnings = snapshot_brokers(target, cluster, progress)
    with target.placement_reader(cluster) as reader:
        away = _away(reader.placement())
        if away and needs_all:
            raise NotInSync(away, where=f"cluster `{cluster}`", fix="see why: hdictl status; start it, then plan again")
        ongoing = reader.ongoing()
        found = (away, _moving(ongoing))
        warnings = (*warnings, *(warning for warning in found if warning))
        return snapshot_of(reader, ongoing, {broker.id: broker for broker in brokers}, cluster), warnings


def snapshot_of(
    reader: PlacementReader, ongoing: Mapping[PartitionKey, Ongoing], brokers: Mapping[int, Broker], cluster: str
) -> Snapshot:
    placement, sizes = reader.placement(), reader.sizes()
    partitions = []
    for (topic, partition), placed in placement.partitions.items():
        # A replica that lags is smaller than it will be; one that was left behind may be anything.
        weights = [sizes.get(broker, {}).get((topic, partition), 0) for broker in placed.isr]
        move = ongoing.get((topic, partition))
        replicas = placed.replicas if move is None else move.target
        isr = tuple(broker for broker in replicas if broker in placed.isr)
        partitions.append(Partition(topic, partition, replicas, isr, max(weights, default=0)))
    known = [brokers.get(id, Broker(id, rack=placement.racks.get(id))) for id in broker_ids(placement)]
    return make_snapshot(known, partitions, cluster=cluster, cluster_id=placement.cluster_id)


def _moving(ongoing: Mapping[PartitionKey, Ongoing]) -> str:
    if not ongoing:
        return ""
    some = count(len(ongoing), "partition is", "partitions are")
    return f"{some} on the move, and taken to be at the end of it: {listed(ongoing)}"


def _away(placement: Placement) -> str:
    """Brokers that hold replicas and are not there, in words."""
    away = set(broker_ids(placement)) - placement.brokers
    if not away:
        return ""
    held = sum(not away.isdisjoint(placed.replicas) for placed in placement.partitions.values())
    return f"{brokers_text(away, 'is away, and holds', 'are away, and hold')} replicas of {count(held, 'partition')}"


def broker_ids(placement: Placement) -> list[int]:
    """The living ones, and those that are away and hold replicas: a broker does not cease to be when it is down."""
    holders = {broker for placed in placement.partitions.values() for broker in placed.replicas}
    return sorted(placement.brokers | holders)
