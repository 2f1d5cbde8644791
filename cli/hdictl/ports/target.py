"""A choice of drivers."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Protocol

from hdictl.ports.cloud import Cloud
from hdictl.ports.jobs import JobRunner
from hdictl.ports.kafka import ClusterReader, ClusterWriter, Endpoint, RecordStream
from hdictl.ports.machine import Platform


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

    def reader(self, cluster: str) -> AbstractContextManager[ClusterReader]: ...

    def writer(self, cluster: str) -> AbstractContextManager[ClusterWriter]: ...

    def records(self, cluster: str) -> AbstractContextManager[RecordStream]: ...

    def runner(self) -> AbstractContextManager[JobRunner]: ...

    def lock(self, what: str) -> AbstractContextManager[Any]: ...
