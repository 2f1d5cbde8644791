"""Start nodes of one cluster of the local target, and wait until the cluster serves."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import psutil

from hdictl.drivers.kafka import zookeeper_words
from hdictl.drivers.kafka.ready import accepts_connections, cluster_id_if_ready
from hdictl.drivers.local import kafka_jvm, processes
from hdictl.drivers.local.instance import LocalInstance
from hdictl.drivers.local.kafka_jvm import KafkaRuntime
from hdictl.drivers.local.log_files import telling_lines
from hdictl.drivers.local.record import ZOOKEEPER, NodeRecord
from hdictl.errors import ProcessFailed, StrangeCluster
from hdictl.ports.progress import Progress

_PATIENCE = 300.0  # seconds; a start takes 3, with thousands of partitions to recover on a busy machine 100
_POLL = 0.05


class ClusterStart:
    """One start of some nodes of a cluster. Their settings are written, their ports are chosen."""

    def __init__(self, instance: LocalInstance, cluster: str) -> None:
        self._instance = instance
        self._cluster = cluster
        self._watched: dict[str, psutil.Process] = {}

    def run(self, nodes: Sequence[NodeRecord], runtime: KafkaRuntime, progress: Progress) -> None:
        with progress.track(f"Starting {self._cluster}", len(nodes)) as advance:
            for node in sorted(nodes, key=lambda each: each.is_broker):  # ZooKeeper first
                if node.is_broker:
                    self._wait_for_old_registration(node)
                self._watched[node.name] = self._launch(node, runtime)
            self.wait_until_ready(advance)

    def _launch(self, node: NodeRecord, runtime: KafkaRuntime) -> psutil.Process:
        place = self._instance.record.place(self._cluster, node.name)
        identity = self._instance.identity(self._cluster, node.name)
        process = processes.start(
            runtime.command(node, place, identity),
            folder=place.folder,
            console=place.console,
            environ=kafka_jvm.environment(),
        )
        noted = {"pid": process.pid, "started": process.create_time(), "is_wanted": True}
        self._instance.record.remember(self._cluster, node.model_copy(update=noted))
        return process

    def _wait_for_old_registration(self, broker: NodeRecord) -> None:
        """ZooKeeper keeps a killed broker's registration until its session ends; Kafka does not start on it."""
        has_past = (self._instance.record.place(self._cluster, ZOOKEEPER).data / "version-2").is_dir()
        if ZOOKEEPER in self._watched and not has_past:
            return  # a new cluster: ZooKeeper and brokers start side by side, which is quicker
        port = self._instance.node(self._cluster, ZOOKEEPER).port

        def is_gone() -> bool:
            return zookeeper_words.is_serving(port) and int(broker.name) not in zookeeper_words.registered_brokers(port)

        self._wait(is_gone, f"ZooKeeper to let go of broker {broker.name}")

    def wait_until_ready(self, advance: Callable[[int], None]) -> None:
        """Of the whole cluster, also of nodes that an earlier `up`, cut short, had started."""
        nodes = self._instance.record.read().clusters[self._cluster].nodes
        counted = {nodes[name].port for name in self._watched}  # others run already, and are no news
        for name, node in nodes.items():
            process = self._instance.process(self._cluster, node)
            if process:
                self._watched.setdefault(name, process)
        silent = {nodes[name].port for name in self._watched}
        brokers = [nodes[name] for name in self._watched if nodes[name].is_broker]
        answers: list[str] = []

        def is_ready() -> bool:
            for port in [port for port in silent if accepts_connections(port)]:
                silent.remove(port)
                if port in counted:
                    advance(1)
            answer = cluster_id_if_ready([node.port for node in brokers], [int(node.name) for node in brokers])
            answers.extend([answer] if answer else [])
            return not silent and answer is not None

        self._wait(is_ready, "its brokers to find each other")
        self._pin(answers[-1])

    def _pin(self, cluster_id: str) -> None:
        record = self._instance.record.read()
        cluster = record.clusters[self._cluster]
        if cluster.cluster_id is None:
            pinned = cluster.model_copy(update={"cluster_id": cluster_id})
            self._instance.record.write(record.with_cluster(self._cluster, pinned))
        elif cluster.cluster_id != cluster_id:
            raise StrangeCluster(
                f"Kafka's cluster id is {cluster_id}, it was {cluster.cluster_id}",
                where=f"cluster `{self._cluster}`",
                fix="another Kafka answers on these ports: stop it, then run `hdictl up` again",
            )

    def _wait(self, is_done: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + _PATIENCE
        while not is_done():
            for name, process in self._watched.items():
                if not processes.is_alive(process):
                    raise self._failure(name, "ended while it started")
            if time.monotonic() > deadline:
                last = next(reversed(self._watched), ZOOKEEPER)
                raise self._failure(last, f"waited {_PATIENCE:.0f} s for {what}")
            time.sleep(_POLL)

    def _failure(self, node: str, what: str) -> ProcessFailed:
        """The log is kept where the error says, though the start it belongs to is taken back."""
        place = self._instance.record.place(self._cluster, node)
        kept = self._instance.kept_log
        kept.write_bytes(b"".join(file.read_bytes() for file in (place.console, place.log) if file.is_file()))
        lines = "".join(f"\n    {line}" for line in telling_lines(place.log, place.console, 8))
        name = node if node == ZOOKEEPER else f"broker {node}"
        return ProcessFailed(f"{name} {what}{lines}", where=f"cluster `{self._cluster}`", fix=f"its log: {kept}")
