"""Kafka clusters as containers: a `Platform` over a Docker engine.

Nothing is remembered here. Containers, volumes and networks carry labels, and everything is found by them: a
stack whose folder was lost is still seen and still goes away with `down`.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from hdictl.drivers import docker_status as status
from hdictl.drivers.docker_engine import Engine
from hdictl.drivers.docker_labels import Container
from hdictl.drivers.docker_start import start
from hdictl.drivers.docker_wait import wait_for_brokers
from hdictl.errors import NotRunning
from hdictl.ports import ClusterStatus, Endpoint, KafkaSpec, NodeStatus, Progress

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
            progress.step(f"stopping {len(running)} containers")
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
        return status.cluster_statuses(self._engine, self._containers(), self._marks)

    def logs(self, cluster: str, node: str, *, lines: int, follow: bool) -> Iterator[str]:
        container = self._container(cluster, node)
        options = ["--follow"] if follow else []
        return self._engine.lines("logs", "--tail", str(lines), *options, container.id)

    def kill_broker(self, cluster: str, broker: int) -> NodeStatus:
        container = self._container(cluster, str(broker))
        if container.is_running:
            self._marks.add([container])
            self._engine.call("kill", "--signal", "KILL", container.id)
            self._engine.call("wait", container.id)
        return self._node_status(cluster, broker)

    def restart_broker(self, cluster: str, broker: int, progress: Progress) -> NodeStatus:
        container = self._container(cluster, str(broker))
        self._marks.remove([container])
        progress.step(f"starting broker {broker} of `{cluster}`")
        self._engine.call("restart", "-t", _GRACE, container.id)
        wait_for_brokers(self._engine, self._instance, cluster, [broker])
        return self._node_status(cluster, broker)

    def endpoints(self) -> Mapping[str, Endpoint]:
        found = {}
        containers = status.in_order(self._containers())
        for cluster in dict.fromkeys(container.cluster for container in containers):
            members = [container for container in containers if container.cluster == cluster]
            found[cluster] = Endpoint(
                cluster=cluster,
                bootstrap=status.bootstrap(members),
                domains={int(m.node): (m.fd or 0, m.ud or 0) for m in members if m.is_broker},
                cluster_id=status.cluster_id(self._engine, members),
            )
        return found

    def _containers(self) -> tuple[Container, ...]:
        self._engine.require()
        return self._engine.containers(self._instance)

    def _container(self, cluster: str, node: str) -> Container:
        containers = self._containers()
        for container in containers:
            if (container.cluster, container.node) == (cluster, node):
                return container
        known = ", ".join(f"{found.cluster}/{found.node}" for found in status.in_order(containers))
        raise NotRunning(
            f"there is no container of `{cluster}/{node}`",
            where="docker",
            fix=f"there are: {known}" if known else "start the stack: hdictl up --target docker",
        )

    def _node_status(self, cluster: str, broker: int) -> NodeStatus:
        return status.node_status(self._engine, self._container(cluster, str(broker)), self._marks)

    def _stop(self, running: Sequence[Container]) -> None:
        """Brokers first: one that loses its ZooKeeper hangs in its own shutdown."""
        self._marks.add(running)
        brokers = [container.id for container in running if container.is_broker]
        others = [container.id for container in running if not container.is_broker]
        for group in filter(None, (brokers, others)):
            self._engine.call("stop", "-t", _GRACE, *group, timeout=None)
