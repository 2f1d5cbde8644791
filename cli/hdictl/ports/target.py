"""A choice of drivers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from hdictl.plan.observed import ObservedBroker
from hdictl.ports.cloud import Cloud
from hdictl.ports.job_driver import JobDriver
from hdictl.ports.jobs import JobRunner
from hdictl.ports.journal import JournalStore
from hdictl.ports.kafka import ClusterReader, ClusterWriter, Endpoint, RecordStream
from hdictl.ports.machine import Platform
from hdictl.ports.offsets import OffsetWriter
from hdictl.ports.progress import Progress
from hdictl.ports.reassignment import PlacementReader, PlacementWriter
from hdictl.rebalance.topology import Domains


class Infrastructure(Protocol):
    """The clusters and networks of a stack, where they are made by a service and not by this machine."""

    @property
    def poll_seconds(self) -> float:
        """How often something that takes minutes is looked at."""

    def cloud(self) -> AbstractContextManager[Cloud]: ...

    def public_key(self) -> str | None:
        """The SSH public key that the stack names."""


class Target(Protocol):
    """A choice of drivers."""

    name: str

    def infrastructure(self) -> Infrastructure | None:
        """None where clusters are started by `platform`, or are there already."""

    def platform(self) -> Platform: ...

    def endpoint(self, cluster: str) -> Endpoint: ...

    def domains(self, cluster: str, brokers: Sequence[ObservedBroker], progress: Progress) -> Domains:
        """Fault and update domains. May take a visit to a node: for those who place replicas, once a run."""

    def free_bytes(self, cluster: str) -> Mapping[int, int]:
        """Broker id → room for more; empty where nobody can tell."""

    def reader(self, cluster: str) -> AbstractContextManager[ClusterReader]: ...

    def writer(self, cluster: str) -> AbstractContextManager[ClusterWriter]: ...

    def records(self, cluster: str) -> AbstractContextManager[RecordStream]: ...

    def placement_reader(self, cluster: str) -> AbstractContextManager[PlacementReader]: ...

    def placement_writer(self, cluster: str) -> AbstractContextManager[PlacementWriter]: ...

    def journal(self, cluster: str) -> AbstractContextManager[JournalStore]:
        """Of the rebalances of this cluster."""

    def offsets(self, cluster: str) -> AbstractContextManager[OffsetWriter]: ...

    def runner(self) -> AbstractContextManager[JobRunner]:
        """Jobs that end with whoever started them."""

    def jobs(self, cluster: str) -> AbstractContextManager[JobDriver]:
        """Jobs that run by themselves, on the Spark cluster of this name."""

    def job_clusters(self) -> list[str]:
        """Where jobs may run that are not in the stack any more."""

    def end_jobs(self, *, keep_data: bool) -> int:
        """End the jobs of this machine before their Kafka goes; with `keep_data` their checkpoints stay."""

    def lock(self, what: str) -> AbstractContextManager[Any]: ...
