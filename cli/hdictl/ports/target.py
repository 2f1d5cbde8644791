"""A choice of drivers."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Protocol

from hdictl.ports.jobs import JobRunner
from hdictl.ports.kafka import ClusterReader, ClusterWriter, Endpoint, RecordStream
from hdictl.ports.machine import Platform


class Target(Protocol):
    """A choice of drivers."""

    name: str

    def platform(self) -> Platform: ...

    def endpoint(self, cluster: str) -> Endpoint: ...

    def reader(self, cluster: str) -> AbstractContextManager[ClusterReader]: ...

    def writer(self, cluster: str) -> AbstractContextManager[ClusterWriter]: ...

    def records(self, cluster: str) -> AbstractContextManager[RecordStream]: ...

    def runner(self) -> AbstractContextManager[JobRunner]: ...

    def lock(self, what: str) -> AbstractContextManager[Any]: ...
