"""`azure`: HDInsight clusters, reached directly or through a SOCKS proxy as the stack says."""

from __future__ import annotations

import hashlib
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from hdictl.drivers import folders, locks
from hdictl.errors import TargetUnsupported
from hdictl.ports.jobs import JobRunner
from hdictl.ports.kafka import Endpoint
from hdictl.ports.machine import Platform
from hdictl.stack.model import Stack
from hdictl.targets.clients import KafkaClients


class AzureTarget(KafkaClients):
    name = "azure"

    def __init__(self, stack: Stack, file: Path, env: str | None) -> None:
        self._stack = stack

    def platform(self) -> Platform:
        raise TargetUnsupported(
            "clusters on azure are not started or stopped by this command",
            fix="name brokers that run already under `bootstrap`, or use --target local or docker",
        )

    def endpoint(self, cluster: str) -> Endpoint:
        described = self._stack.kafka_clusters[cluster]
        if not described.bootstrap:
            raise TargetUnsupported(
                f"the brokers of cluster `{cluster}` are not known",
                fix=f"add `bootstrap: [host:9092, …]` to clusters.{cluster} (and `proxy:` when they are behind one)",
            )
        return Endpoint(cluster, ",".join(described.bootstrap), cluster_id=described.cluster_id, proxy=described.proxy)

    def runner(self) -> AbstractContextManager[JobRunner]:
        raise TargetUnsupported("jobs are not submitted to azure by this command", fix="use --target local or docker")

    def lock(self, what: str) -> AbstractContextManager[Any]:
        """Holds among the users of this machine only."""
        brokers = sorted(",".join(cluster.bootstrap) for cluster in self._stack.kafka_clusters.values())
        digest = hashlib.sha256("\n".join(brokers).encode()).hexdigest()[:12]
        return locks.lock(folders.state() / "locks" / f"azure-{digest}.lock", what)
