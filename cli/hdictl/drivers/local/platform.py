"""A `Platform` of JVM processes; the map of its parts is at the entrance of this folder."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from hdictl.drivers.disk_space import shares
from hdictl.drivers.free_ports import require_free
from hdictl.drivers.local import log_files, processes
from hdictl.drivers.local.instance import LocalInstance
from hdictl.drivers.local.kafka_jvm import KafkaRuntime
from hdictl.drivers.local.record import ZOOKEEPER
from hdictl.drivers.local.start import ClusterStart
from hdictl.drivers.local.status import cluster_status, node_status
from hdictl.drivers.local.stop import stop_all
from hdictl.drivers.local.up import Prepare, bring_up
from hdictl.errors import NotRunning, RecordDamaged
from hdictl.ports.kafka import Endpoint
from hdictl.ports.machine import ClusterStatus, KafkaSpec, NodeStatus
from hdictl.ports.progress import Progress, Silent

_RESTART_GRACE = 30.0  # seconds


class LocalPlatform:
    """A `ports.Platform`."""

    def __init__(self, instance: str, folder: Path, *, prepare: Prepare = KafkaRuntime.prepare) -> None:
        self._instance = LocalInstance(instance, folder)
        self._prepare = prepare

    def up(self, clusters: Sequence[KafkaSpec], progress: Progress) -> tuple[ClusterStatus, ...]:
        with self._instance.alone(progress):
            bring_up(self._instance, clusters, self._prepare, progress)
            record = self._instance.record.read()
        return tuple(cluster_status(self._instance, spec.cluster, record.clusters[spec.cluster]) for spec in clusters)

    def down(self, *, keep_data: bool, progress: Progress) -> int:
        with self._instance.alone(progress), processes.uninterrupted(), progress.track("Stopping"):
            ended = stop_all(self._instance.name, self._instance.folder, is_gentle=keep_data)
            if keep_data:
                self._note_stopped()
            else:
                shutil.rmtree(self._instance.folder, ignore_errors=True)
                self._instance.kept_log.unlink(missing_ok=True)
                self._instance.ports.release(self._instance.folder)
        return ended

    def status(self) -> tuple[ClusterStatus, ...]:
        clusters = self._instance.record.read().clusters
        return tuple(cluster_status(self._instance, name, cluster) for name, cluster in clusters.items())

    def logs(self, cluster: str, node: str, *, lines: int, follow: bool) -> Iterator[str]:
        log = self._instance.record.place(cluster, self._instance.node(cluster, node).name).log
        if not log.is_file():
            raise NotRunning("it has not written a log yet", where=f"{cluster}/{node}", fix="run `hdictl up`")
        return log_files.follow(log, lines) if follow else iter(log_files.last_lines(log, lines))

    def kill_broker(self, cluster: str, broker: int) -> NodeStatus:
        with self._instance.alone(Silent()):
            node = self._instance.node(cluster, str(broker))
            process = self._instance.process(cluster, node)
            if process is None:
                raise NotRunning(
                    f"broker {broker} does not run",
                    where=f"cluster `{cluster}`",
                    fix=f"`hdictl local restart-broker {cluster} {broker}` starts it",
                )
            stopped = node.model_copy(update={"is_wanted": False})
            self._instance.record.remember(cluster, stopped)
            processes.end([process], grace=0)
            return node_status(self._instance, cluster, stopped)

    def restart_broker(self, cluster: str, broker: int, progress: Progress) -> NodeStatus:
        with self._instance.alone(progress):
            node = self._instance.node(cluster, str(broker))
            if self._instance.process(cluster, self._instance.node(cluster, ZOOKEEPER)) is None:
                raise NotRunning("its ZooKeeper does not run", where=f"cluster `{cluster}`", fix="run `hdictl up`")
            runtime = self._prepare(self._instance.record.read().clusters[cluster].version, progress)
            process = self._instance.process(cluster, node)
            if process:
                processes.end([process], grace=_RESTART_GRACE)
            require_free(node.port, where=f"cluster `{cluster}`, broker {broker}")
            ClusterStart(self._instance, cluster).run([node], runtime, progress)
            return node_status(self._instance, cluster, self._instance.node(cluster, str(broker)))

    def endpoints(self) -> Mapping[str, Endpoint]:
        """Of the clusters that have a broker running."""
        return {
            name: Endpoint(
                cluster=name,
                bootstrap=cluster.bootstrap,
                domains={int(node.name): (node.fd or 0, node.ud or 0) for node in cluster.brokers},
                cluster_id=cluster.cluster_id,
            )
            for name, cluster in self._instance.record.read().clusters.items()
            if any(self._instance.process(name, node) for node in cluster.brokers)
        }

    def free_bytes(self, cluster: str) -> Mapping[int, int]:
        known = self._instance.record.read().clusters.get(cluster)
        names = [node.name for node in known.brokers] if known else []
        return shares({int(name): self._instance.record.place(cluster, name).data for name in names})

    def _note_stopped(self) -> None:
        try:
            record = self._instance.record.read()
        except RecordDamaged:
            self._instance.record.forget()  # the data stays; `up` writes a new record and finds it
            return
        if record.clusters:
            self._instance.record.write(record.all_stopped())
