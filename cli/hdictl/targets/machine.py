"""What the targets on this machine have in common: an instance of their own for each stack file and environment."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hdictl.drivers import folders, locks
from hdictl.errors import NotRunning
from hdictl.plan.observed import ObservedBroker
from hdictl.ports.job_driver import JobDriver
from hdictl.ports.jobs import JobRunner
from hdictl.ports.kafka import Endpoint
from hdictl.ports.machine import Platform
from hdictl.ports.progress import Progress
from hdictl.rebalance.topology import Domains
from hdictl.stack.model import Stack
from hdictl.targets.clients import KafkaClients

if TYPE_CHECKING:
    from hdictl.drivers.spark.background import LocalJobs

_THIS_MACHINE = ""  # any cluster's name leads to its jobs


class MachineTarget(KafkaClients):
    """A target whose clusters run on this machine. Subclasses say which platform."""

    name: str

    def __init__(self, stack: Stack, file: Path, env: str | None) -> None:
        # An instance belongs to a file and an environment, not to a name inside the file: two stacks never meet, and
        # one that is renamed, or broken, while it runs is still found.
        place = file.resolve()
        digest = hashlib.sha256(f"{place}\n{env or ''}".encode()).hexdigest()[:8]
        readable = re.sub(r"[^a-z0-9]+", "-", place.parent.name.lower()).strip("-")[:24]
        self.instance = f"{readable or 'stack'}-{digest}"

    @property
    def folder(self) -> Path:
        return folders.state() / self.name / self.instance

    def infrastructure(self) -> None:
        """The platform makes the clusters."""

    def platform(self) -> Platform:
        raise NotImplementedError

    def endpoint(self, cluster: str) -> Endpoint:
        endpoints = self.platform().endpoints()
        if cluster not in endpoints:
            raise NotRunning(
                f"cluster `{cluster}` is not running on target {self.name}",
                fix=f"start it: hdictl up --target {self.name}",
            )
        return endpoints[cluster]

    def domains(self, cluster: str, brokers: Sequence[ObservedBroker], progress: Progress) -> Domains:
        """As the stack declares them."""
        return Domains(self.endpoint(cluster).domains)

    def free_bytes(self, cluster: str) -> Mapping[int, int]:
        return self.platform().free_bytes(cluster)

    @contextmanager
    def runner(self) -> Iterator[JobRunner]:
        """Real Spark on this machine; what jobs leave behind (checkpoints, logs) is the instance's own."""
        from hdictl.drivers.spark.runner import SparkLocal

        yield SparkLocal(folders.state() / "runs" / f"{self.name}-{self.instance}")

    @contextmanager
    def jobs(self, cluster: str) -> Iterator[JobDriver]:
        yield self._local_jobs()

    def job_clusters(self) -> list[str]:
        return [_THIS_MACHINE]

    def end_jobs(self, *, keep_data: bool) -> int:
        jobs = self._local_jobs()
        return sum(jobs.forget(name, keep_data=keep_data) for name in jobs.names())

    def _local_jobs(self) -> LocalJobs:
        from hdictl.drivers.spark.background import LocalJobs

        return LocalJobs(folders.state() / "jobs" / f"{self.name}-{self.instance}", self.instance)

    def lock(self, what: str) -> AbstractContextManager[Any]:
        return locks.lock(folders.state() / "locks" / f"{self.name}-{self.instance}.lock", what)
