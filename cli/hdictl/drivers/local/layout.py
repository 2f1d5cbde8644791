"""Which nodes a cluster of the local target has, on which ports, with which settings."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from hdictl.drivers.free_ports import HOST, PortBook, require_free
from hdictl.drivers.kafka import zookeeper_words
from hdictl.drivers.kafka.broker_settings import broker_settings, to_properties, zookeeper_settings
from hdictl.drivers.local import kafka_jvm
from hdictl.drivers.local.record import ZOOKEEPER, ClusterRecord, NodePlace, NodeRecord
from hdictl.ports.machine import BrokerSpec, KafkaSpec


def whole(spec: KafkaSpec, known: ClusterRecord | None) -> KafkaSpec:
    """The stack's brokers, and those that the cluster has beyond them: Kafka does not scale in."""
    named = {broker.id for broker in spec.brokers}
    beyond = tuple(
        BrokerSpec(int(node.name), node.fd or 0, node.ud or 0)
        for node in (known.brokers if known else ())
        if int(node.name) not in named
    )
    return replace(spec, brokers=spec.brokers + beyond)


def node_names(spec: KafkaSpec) -> set[str]:
    return {ZOOKEEPER, *(str(broker.id) for broker in spec.brokers)}


def with_ports(
    spec: KafkaSpec, known: ClusterRecord | None, living: Collection[str], book: PortBook, instance: Path
) -> ClusterRecord:
    """The cluster's record with a port for every node; the living ones keep theirs."""
    known = known or ClusterRecord(version=spec.version)
    fixed = {str(broker.id): spec.port + index for index, broker in enumerate(spec.brokers) if spec.port}
    if any(node.is_broker for name, node in known.nodes.items() if name in living):
        fixed[ZOOKEEPER] = known.zookeeper_port  # living brokers look for it there and nowhere else
    names = [ZOOKEEPER, *(str(broker.id) for broker in spec.brokers)]
    ports = {name: known.nodes[name].port for name in names if name in living}
    for name in names:
        if name in fixed and name not in living:
            require_free(fixed[name], where=f"cluster `{spec.cluster}`, {name}")
            ports[name] = fixed[name]
    open_names = [name for name in names if name not in ports]
    remembered = [known.nodes[name].port for name in open_names if name in known.nodes]
    ports.update(zip(open_names, book.choose(instance, len(open_names), remembered=remembered), strict=True))
    return _record(spec, known, ports)


def _record(spec: KafkaSpec, known: ClusterRecord, ports: dict[str, int]) -> ClusterRecord:
    zookeeper = known.nodes.get(ZOOKEEPER) or NodeRecord(name=ZOOKEEPER, port=0, heap=0)
    heap = kafka_jvm.zookeeper_heap()
    record = known.with_node(zookeeper.model_copy(update={"port": ports[ZOOKEEPER], "heap": heap}))
    for broker in spec.brokers:
        name = str(broker.id)
        node = known.nodes.get(name) or NodeRecord(name=name, port=0, heap=0)
        said = {"port": ports[name], "heap": kafka_jvm.broker_heap(spec), "fd": broker.fd, "ud": broker.ud}
        record = record.with_node(node.model_copy(update=said))
    return record


def write_settings(spec: KafkaSpec, cluster: ClusterRecord, node: NodeRecord, place: NodePlace) -> None:
    place.data.mkdir(parents=True, exist_ok=True)
    settings = _broker(spec, cluster, node, place) if node.is_broker else _zookeeper(node, place)
    place.settings.write_text(to_properties(settings))


def _broker(spec: KafkaSpec, cluster: ClusterRecord, node: NodeRecord, place: NodePlace) -> dict[str, str]:
    address = f"PLAINTEXT://{HOST}:{node.port}"
    return broker_settings(
        spec,
        BrokerSpec(int(node.name), node.fd or 0, node.ud or 0),
        zookeeper=f"{HOST}:{cluster.zookeeper_port}",
        listeners=address,
        advertised=address,
        log_dir=str(place.data),
    )


def _zookeeper(node: NodeRecord, place: NodePlace) -> dict[str, str]:
    return {
        **zookeeper_settings(port=node.port, data_dir=str(place.data)),
        "clientPortAddress": HOST,
        "4lw.commands.whitelist": zookeeper_words.ALLOWED,
        "autopurge.purgeInterval": "1",  # hours; the disk is somebody's laptop
    }
