"""Kafka clusters as containers: a `Platform` over a Docker engine.

Nothing is remembered here. Containers, volumes and networks carry labels, and everything is found by them: a
stack whose folder was lost is still seen and still goes away with `down`.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from hdictl.drivers.docker import status
from hdictl.drivers.docker.engine import Engine
from hdictl.drivers.docker.labels import ZOOKEEPER, Container
from hdictl.drivers.docker.start import start
from hdictl.drivers.docker.wait import wait_for_brokers
from hdictl.drivers.local.processes import uninterrupted
from hdictl.errors import NotRunning, UsageError
from hdictl.ports.kafka import Endpoint
from hdictl.ports.machine import ClusterStatus, KafkaSpec, NodeStatus
from hdictl.ports.progress import Progress

_GRACE: Final = "20"  # seconds between SIGTERM and SIGKILL (`-t`: its long name differs between versions)


class DockerPlatform:
    def __init__(self, instance: str, folder: Path, engine: Engine | None = None) -> None:
        """`instance` is unique to the stack on this engine; `folder` is the stack's own."""
        self._instance = instance
        self._folder = folder
        self._engine = engine or Engine()
        self._marks = status.StopMarks(folder)

    def up(self, clusters: Sequence[KafkaSpec], progress: Progress) -> tuple[ClusterStatus, ...]:
        start(self._engine, self._instance, self._folder, clusters, progress)
        self._marks.remove(container for container in self._containers() if container.is_running)
        named = {spec.cluster for spec in clusters}
        return tuple(found for found in self.status() if found.cluster in named)

    def down(self, *, keep_data: bool, progress: Progress) -> int:
        containers = self._containers()
        running = [container for container in containers if container.is_running]
        if running:
            progress.step(f"Stopping {len(running)} containers")
        with uninterrupted():
            if keep_data:
                self._stop(running)
            else:
                self._engine.remove(
                    [container.id for container in containers],
                    volumes=sorted(self._engine.volumes(self._instance)),
                    networks=sorted(self._engine.networks(self._instance)),
                )
                shutil.rmtree(self._folder, ignore_errors=True)
        return len(running)

    def status(self) -> tuple[ClusterStatus, ...]:
        return tuple(
            status.cluster_status(self._engine, cluster, members, self._marks)
            for cluster, members in status.by_cluster(self._containers()).items()
        )

    def logs(self, cluster: str, node: str, *, lines: int, follow: bool) -> Iterator[str]:
        container = self._container(cluster, node)
        options = ["--follow"] if follow else []
        return self._engine.lines("logs", "--tail", str(lines), *options, container.id)

    def kill_broker(self, cluster: str, broker: int) -> NodeStatus:
        container = self._container(cluster, str(broker))
        if not container.is_running:
            raise NotRunning(
                f"broker {broker} does not run",
                where=f"cluster `{cluster}`",
                fix=f"`hdictl local restart-broker {cluster} {broker} --target docker` starts it",
            )
        self._marks.add([container])
        self._engine.call("kill", "--signal", "KILL", container.id)
        self._engine.call("wait", container.id)
        return self._node_status(cluster, broker)

    def restart_broker(self, cluster: str, broker: int, progress: Progress) -> NodeStatus:
        container = self._container(cluster, str(broker))
        if not self._container(cluster, ZOOKEEPER).is_running:
            raise NotRunning("its ZooKeeper does not run", where=f"cluster `{cluster}`", fix="run `hdictl up`")
        self._marks.remove([container])
        with progress.track(f"Starting broker {broker}", 1) as advance:
            self._engine.call("restart", "-t", _GRACE, container.id)
            wait_for_brokers(self._engine, self._instance, cluster, [broker], advance)
        return self._node_status(cluster, broker)

    def endpoints(self) -> Mapping[str, Endpoint]:
        """Of the clusters that have a broker running."""
        return {
            cluster: Endpoint(
                cluster=cluster,
                bootstrap=status.bootstrap(members),
                domains={int(member.node): (member.fd or 0, member.ud or 0) for member in members if member.is_broker},
                cluster_id=status.cluster_id(self._engine, members),
            )
            for cluster, members in status.by_cluster(self._containers()).items()
            if any(member.is_broker and member.is_running for member in members)
        }

    def free_bytes(self, cluster: str) -> Mapping[int, int]:
        return status.free_bytes(self._engine, status.by_cluster(self._containers()).get(cluster, ()))

    def _containers(self) -> tuple[Container, ...]:
        self._engine.require()
        return self._engine.containers(self._instance)

    def _container(self, cluster: str, node: str) -> Container:
        clusters = status.by_cluster(self._containers())
        if not clusters:
            raise NotRunning(
                "the stack is not up on this engine", where="docker", fix="run `hdictl up --target docker`"
            )
        if cluster not in clusters:
            raise UsageError(
                f"no cluster `{cluster}` runs here", where="docker", fix=f"there are: {', '.join(clusters)}"
            )
        nodes = {member.node: member for member in clusters[cluster]}
        if node not in nodes:
            raise UsageError(f"no node `{node}`", where=f"cluster `{cluster}`", fix=f"there are: {', '.join(nodes)}")
        return nodes[node]

    def _node_status(self, cluster: str, broker: int) -> NodeStatus:
        return status.node_status(self._engine, self._container(cluster, str(broker)), self._marks)

    def _stop(self, running: Sequence[Container]) -> None:
        """Brokers first: one that loses its ZooKeeper hangs in its own shutdown."""
        self._marks.add(running)
        brokers = [container.id for container in running if container.is_broker]
        others = [container.id for container in running if not container.is_broker]
        for group in filter(None, (brokers, others)):
            self._engine.call("stop", "-t", _GRACE, *group, timeout=None)
