"""`azure`: HDInsight clusters. Made and changed through Azure; their brokers are found through Ambari, or named by the
stack, and reached directly, by a SOCKS proxy or by an SSH tunnel."""

from __future__ import annotations

import atexit
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any

from hdictl.drivers import folders, locks
from hdictl.drivers.azure.settings import settings
from hdictl.errors import TargetUnsupported
from hdictl.plan.cloud import CloudCluster
from hdictl.plan.observed import ObservedBroker
from hdictl.ports.ambari import Ambari
from hdictl.ports.cloud import Cloud
from hdictl.ports.job_driver import JobDriver
from hdictl.ports.jobs import JobRunner
from hdictl.ports.kafka import Endpoint
from hdictl.ports.machine import Platform
from hdictl.ports.progress import Progress
from hdictl.ports.target import Infrastructure
from hdictl.rebalance.topology import Domains
from hdictl.stack.model import Stack
from hdictl.targets.clients import KafkaClients


class AzureTarget(KafkaClients):
    name = "azure"

    def __init__(self, stack: Stack, file: Path, env: str | None) -> None:
        self._stack = stack
        self._folder = file.resolve().parent
        self._endpoints: dict[str, Endpoint] = {}
        self._domains: dict[tuple[str, frozenset[int]], Domains] = {}
        self._tunnels = ExitStack()
        atexit.register(self._tunnels.close)

    @property
    def poll_seconds(self) -> float:
        return settings().look_seconds

    def infrastructure(self) -> Infrastructure | None:
        return self if self._stack.makes_clusters else None

    def cloud(self) -> AbstractContextManager[Cloud]:
        from hdictl.drivers.azure.connect import connect

        return connect(self._stack)

    def public_key(self) -> str | None:
        from hdictl.drivers.ssh_key import public_key

        return public_key(self._stack, self._folder)

    @contextmanager
    def living(self, cluster: str) -> Iterator[tuple[Cloud, CloudCluster]]:
        """Azure, and a cluster that is there, whatever its state."""
        from hdictl.drivers.reach import existing

        with self.cloud() as cloud:
            yield cloud, existing(self._stack, cluster, cloud)

    @contextmanager
    def ambari(self, cluster: str) -> Iterator[Ambari]:
        from hdictl.drivers.reach import ambari_of

        with self.cloud() as cloud, ambari_of(self._stack, cluster, cloud) as ambari:
            yield ambari

    def gateway_settings(self, cluster: str) -> dict[str, Any]:
        from hdictl.drivers.reach import gateway_settings

        return gateway_settings(self._stack, cluster)

    def platform(self) -> Platform:
        raise TargetUnsupported(
            "clusters on azure are not processes of this machine",
            fix="make and change them with: hdictl apply --target azure; delete them with: hdictl destroy",
        )

    def endpoint(self, cluster: str) -> Endpoint:
        described = self._stack.kafka_clusters[cluster]
        if described.bootstrap:
            brokers = ",".join(described.bootstrap)
            return Endpoint(cluster, brokers, cluster_id=described.cluster_id, proxy=described.proxy)
        if cluster not in self._endpoints:
            from hdictl.drivers.reach import reach

            with self.cloud() as cloud:
                self._endpoints[cluster] = reach(self._stack, cluster, cloud, self._tunnels, self._folder)
        return self._endpoints[cluster]

    def domains(self, cluster: str, brokers: Sequence[ObservedBroker], progress: Progress) -> Domains:
        if self._stack.azure is None:
            return Domains(warning="the stack has no `azure` section, so that nobody can ask the cluster's nodes")
        seen = (cluster, frozenset(broker.id for broker in brokers))  # brokers that join are asked for anew
        if seen not in self._domains:
            from hdictl.drivers.node_domains import NodeDomains

            with self.cloud() as cloud:
                nodes = NodeDomains(self._stack, cluster, cloud, self._folder, progress)
                self._domains[seen] = nodes.read(brokers)
        return self._domains[seen]

    def free_bytes(self, cluster: str) -> Mapping[int, int]:
        """Kafka 3.2 does not tell, and Ambari adds up the disks of a node, system and data alike."""
        return {}

    def runner(self) -> AbstractContextManager[JobRunner]:
        raise TargetUnsupported(
            "a job on azure does not end with the command that started it", fix="submit it: hdictl jobs submit"
        )

    @contextmanager
    def jobs(self, cluster: str) -> Iterator[JobDriver]:
        from hdictl.drivers.reach import livy_jobs

        with self.cloud() as cloud, livy_jobs(self._stack, cluster, cloud) as jobs:
            yield jobs

    def job_clusters(self) -> list[str]:
        return list(self._stack.spark_clusters)

    def end_jobs(self, *, keep_data: bool) -> int:
        """They run on the cluster, and end with it."""
        return 0

    def lock(self, what: str) -> AbstractContextManager[Any]:
        """Holds among the users of this machine; among machines, a running deployment does."""
        azure = self._stack.azure
        place = f"{azure.subscription}/{azure.resource_group}/{self._stack.stack}".lower() if azure else ""
        brokers = sorted(",".join(cluster.bootstrap) for cluster in self._stack.kafka_clusters.values())
        digest = hashlib.sha256("\n".join([place, *brokers]).encode()).hexdigest()[:12]
        return locks.lock(folders.state() / "locks" / f"azure-{digest}.lock", what)
