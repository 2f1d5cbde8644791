"""What a rebalance starts from: brokers with their domains and room, partitions with their replicas, ISR and size.

A snapshot is a plain value and a JSON file. `hdictl rebalance snapshot` writes one from a living cluster, anybody may
write one by hand; the planner sees nothing else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from hdictl.errors import SnapshotInvalid

PartitionKey = tuple[str, int]  # a topic and the number of one of its partitions

_DOMAIN_FIX = "write a number from 0, or null where it is unknown"


@dataclass(frozen=True)
class Broker:
    id: int
    fd: int | None = None  # None: unknown, never guessed
    ud: int | None = None
    rack: str | None = None
    free: int | None = None  # bytes; None: unknown


@dataclass(frozen=True)
class Partition:
    topic: str
    partition: int
    replicas: tuple[int, ...]  # the preferred leader first
    isr: tuple[int, ...] | None = None  # None: unknown
    size: int = 0  # bytes of one replica

    @property
    def key(self) -> PartitionKey:
        return (self.topic, self.partition)

    @property
    def is_in_sync(self) -> bool:
        return self.isr is None or set(self.replicas) <= set(self.isr)


@dataclass(frozen=True)
class Snapshot:
    """Brokers by id and partitions by topic and number, in order: the same cluster is the same value."""

    brokers: tuple[Broker, ...]
    partitions: tuple[Partition, ...]
    cluster: str = ""
    cluster_id: str = ""

    @property
    def broker_ids(self) -> frozenset[int]:
        return frozenset(broker.id for broker in self.brokers)

    @property
    def fingerprint(self) -> str:
        """Of the placement alone. Sizes grow and replicas lag from second to second; neither makes a plan wrong."""
        placed = [[p.topic, p.partition, *p.replicas] for p in self.partitions]
        text = json.dumps([self.cluster_id, [b.id for b in self.brokers], placed], separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def make_snapshot(
    brokers: Iterable[Broker], partitions: Iterable[Partition], *, cluster: str = "", cluster_id: str = ""
) -> Snapshot:
    return Snapshot(
        tuple(sorted(brokers, key=lambda broker: broker.id)),
        tuple(sorted(partitions, key=lambda partition: partition.key)),
        cluster,
        cluster_id,
    )


def to_document(snapshot: Snapshot) -> dict[str, Any]:
    """As JSON has it: what is unknown is null, or not there."""
    return {
        **({"cluster": snapshot.cluster, "cluster_id": snapshot.cluster_id} if snapshot.cluster_id else {}),
        "brokers": {str(broker.id): _broker_document(broker) for broker in snapshot.brokers},
        "partitions": [_partition_document(partition) for partition in snapshot.partitions],
    }


def _broker_document(broker: Broker) -> dict[str, Any]:
    optional = {"rack": broker.rack, "free": broker.free}
    return {"fd": broker.fd, "ud": broker.ud, **{key: value for key, value in optional.items() if value is not None}}


def _partition_document(partition: Partition) -> dict[str, Any]:
    isr = {} if partition.isr is None else {"isr": list(partition.isr)}
    return {
        "topic": partition.topic,
        "partition": partition.partition,
        "replicas": list(partition.replicas),
        **isr,
        "size": partition.size,
    }


def read_snapshot(text: str, name: str) -> Snapshot:
    """`name` is the file's, for messages."""
    try:
        document = json.loads(text)
    except ValueError as error:
        raise SnapshotInvalid(f"this is not JSON: {error}", where=name, fix=_WRITE_ONE) from None
    return from_document(document, name)


_WRITE_ONE = "write one from a living cluster: hdictl rebalance snapshot --out FILE"


def from_document(document: Any, name: str = "snapshot") -> Snapshot:
    if not isinstance(document, dict) or "brokers" not in document or "partitions" not in document:
        raise SnapshotInvalid("a snapshot is an object with `brokers` and `partitions`", where=name, fix=_WRITE_ONE)
    if not isinstance(document["brokers"], dict) or not isinstance(document["partitions"], list):
        raise SnapshotInvalid("`brokers` is an object by id, `partitions` a list", where=name, fix=_WRITE_ONE)
    brokers = [_broker(id, body, name) for id, body in document["brokers"].items()]
    if not brokers:
        raise SnapshotInvalid("there is no broker", where=name, fix=_WRITE_ONE)
    partitions = [_partition(number, body, name) for number, body in enumerate(document["partitions"])]
    _require_once(partitions, name)
    return make_snapshot(
        brokers,
        partitions,
        cluster=str(document.get("cluster") or ""),
        cluster_id=str(document.get("cluster_id") or ""),
    )


def _broker(id: str, body: Any, name: str) -> Broker:
    where = f"{name}: brokers.{id}"
    if not id.isdecimal():
        raise SnapshotInvalid("a broker's id is a number", where=where, fix="use Kafka's own broker ids")
    if not isinstance(body, Mapping):
        raise SnapshotInvalid("a broker is an object with fd and ud", where=where, fix=_DOMAIN_FIX)
    rack = body.get("rack")
    return Broker(
        int(id),
        _domain(body.get("fd"), f"{where}.fd"),
        _domain(body.get("ud"), f"{where}.ud"),
        None if rack is None else str(rack),
        None if body.get("free") is None else _count(body["free"], f"{where}.free"),
    )


def _domain(value: Any, where: str) -> int | None:
    """Negative domains occur on living HDInsight clusters and mean nothing."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        raise SnapshotInvalid(f"{value!r} is no domain", where=where, fix=_DOMAIN_FIX)
    return value if value >= 0 else None


def _partition(number: int, body: Any, name: str) -> Partition:
    where = f"{name}: partitions[{number}]"
    if not isinstance(body, Mapping) or not isinstance(body.get("topic"), str) or "partition" not in body:
        raise SnapshotInvalid("a partition has a topic, a partition and replicas", where=where, fix=_WRITE_ONE)
    partition = _count(body["partition"], f"{where}.partition")
    where = f"{name}: {body['topic']}/{partition}"
    replicas = _ids(body.get("replicas"), f"{where}.replicas")
    if not replicas:
        raise SnapshotInvalid("a partition has at least one replica", where=where, fix="name the brokers that hold it")
    if len(set(replicas)) < len(replicas):
        raise SnapshotInvalid(f"a broker holds two of its replicas: {replicas}", where=where, fix="name each once")
    isr = None if body.get("isr") is None else _ids(body["isr"], f"{where}.isr")
    return Partition(body["topic"], partition, replicas, isr, _count(body.get("size", 0), f"{where}.size"))


def _ids(value: Any, where: str) -> tuple[int, ...]:
    if not isinstance(value, list) or any(isinstance(id, bool) or not isinstance(id, int) for id in value):
        raise SnapshotInvalid("this is a list of broker ids", where=where, fix="for example [1001, 1002, 1003]")
    return tuple(value)


def _count(value: Any, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise SnapshotInvalid(f"{value!r} is no number from 0", where=where, fix="write a whole number, sizes in bytes")
    return value


def _require_once(partitions: Iterable[Partition], name: str) -> None:
    seen: set[PartitionKey] = set()
    for partition in partitions:
        if partition.key in seen:
            raise SnapshotInvalid(
                "it stands there twice", where=f"{name}: {partition.topic}/{partition.partition}", fix="keep one"
            )
        seen.add(partition.key)
