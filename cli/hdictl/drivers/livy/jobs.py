"""Jobs on a cluster, through its Livy: everything is staged in the cluster's storage, and started from there.

A job's name is its lock: Livy takes no second batch of the same name while it remembers the first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from hdictl.drivers.job_paths import parts_of
from hdictl.drivers.livy import staging
from hdictl.drivers.livy.batch import Batch, BatchRequest
from hdictl.drivers.livy.client import LivyClient
from hdictl.drivers.livy.log_follow import LogFollower
from hdictl.drivers.livy.staging import SparkCluster
from hdictl.drivers.spark import package as spark_package
from hdictl.errors import JobExists
from hdictl.ports.job_driver import FAILED, OVER, RUNNING, STARTING, JobPackage, LivingJob
from hdictl.ports.job_storage import JobStorage
from hdictl.ports.progress import Progress
from hdictl.streaming.spec import Surroundings
from hdictl.streaming.state import SUBMITTED

_POLL_SECONDS = 1.0
_FORGOTTEN_SECONDS = 30.0

Storages = Callable[[str], AbstractContextManager[JobStorage]]  # job → its folder


class LivyJobs:
    """A `JobDriver`."""

    def __init__(
        self,
        client: LivyClient,
        storages: Storages,
        cluster: SparkCluster,
        *,
        cache: Path | None = None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._client = client
        self._storages = storages
        self._cluster = cluster
        self._cache = cache
        self._pause = pause
        self.spark = cluster.spark
        self.where = cluster.where

    def storage(self, job: str) -> AbstractContextManager[JobStorage]:
        return self._storages(job)

    def surroundings(self, job: str, version: str) -> Surroundings:
        with self._storages(job) as storage:
            return Surroundings(storage.root, tables=f"{storage.root}/{staging.PACKAGE}/{version}")

    def package_digest(self, *, has_delta: bool) -> str:
        return spark_package.package_digest(self.spark, has_delta=has_delta)

    def names(self) -> list[str]:
        """By the names of batches, which are anybody's: what was submitted from this stack has a note in its folder.

        A phantom may be among them: `find` looks closer.
        """
        living = [batch.name for batch in self._client.batches() if batch.name is not None and not batch.is_over]
        jobs = [name.removeprefix(self._name("")) for name in living if name.startswith(self._name(""))]
        return sorted(job for job in jobs if _is_folder_name(job) and self._is_noted(job))

    def _is_noted(self, job: str) -> bool:
        with self._storages(job) as storage:
            return storage.read(SUBMITTED) is not None

    def find(self, job: str) -> LivingJob | None:
        batch = self._client.known(self._name(job))
        return None if batch is None or batch.looks_phantom else _living(batch)

    def stage(self, package: JobPackage, progress: Progress) -> StagedBatch:
        with self._storages(package.name) as storage:
            request = staging.stage(package, storage, self._cluster, self._cache, progress)
        return StagedBatch(self, package, request)

    def start(self, package: JobPackage, request: BatchRequest, progress: Progress) -> LivingJob:
        self._clear(package.name)
        with self._storages(package.name) as storage:
            staging.forget_others(storage, package.version)
        batch = self._client.submit(request)
        progress.step(f"{package.name}: batch {batch.id} of {self.where}")
        return _living(batch)

    def kill(self, job: str, run: str) -> bool:
        batch = self._client.batch(int(run))
        # A Livy that was set up anew counts from 0 again: the number alone may be somebody else's.
        if batch is None or batch.is_over or (batch.is_nameable and batch.name != self._name(job)):
            return False
        self._client.delete(batch.id)
        return True

    def log(self, job: str, *, lines: int, follow: bool) -> Iterator[str]:
        batch = self._client.batch(self._name(job))
        if batch is None:
            return
        follower = LogFollower()
        window, _lost = follower.new_lines(self._client.log(batch.id))
        yield from window[len(window) - min(lines, len(window)) :]
        if follow:
            yield from self._followed(batch.id, follower)
        if lines > 0 or follow:
            # Last, for it says why an application never came to print anything: no room, or its driver was killed.
            yield from (f"YARN: {line}" for line in self._client.diagnostics(batch.id) if line.strip())

    def _followed(self, id: int, follower: LogFollower) -> Iterator[str]:
        while True:
            found = self._client.batch(id)  # asked before reading, so that no line is missed
            new, lost = follower.new_lines(self._client.log(id))
            if lost:
                yield "… lines are lost here: Livy keeps the last 200 only"
            yield from new
            if found is None or found.is_over:
                return
            self._pause(_POLL_SECONDS)

    def _name(self, job: str) -> str:
        return f"{self._cluster.prefix}-{job}"

    def _clear(self, job: str) -> None:
        """One that is over keeps its name until Livy forgets it; one that runs is somebody's."""
        batch = self._client.known(self._name(job))
        if batch is None:
            return
        if not batch.is_over and not batch.looks_phantom:
            raise JobExists(
                f"batch {batch.id} is {batch.state}", where=f"job `{job}`", fix="stop it first: hdictl jobs stop"
            )
        self._client.delete(batch.id)
        deadline = time.monotonic() + _FORGOTTEN_SECONDS
        while self._client.batch(self._name(job)) is not None and time.monotonic() < deadline:
            self._pause(_POLL_SECONDS)


@dataclass(frozen=True)
class StagedBatch:
    """A `StagedJob`."""

    _jobs: LivyJobs
    _package: JobPackage
    _request: BatchRequest

    def start(self, progress: Progress) -> LivingJob:
        return self._jobs.start(self._package, self._request, progress)


def _is_folder_name(job: str) -> bool:
    try:
        return len(parts_of(job)) == 1
    except ValueError:
        return False


def _living(batch: Batch) -> LivingJob:
    """A state that nobody has heard of is not over: to start a second one on its checkpoint would be worse."""
    state = STARTING if batch.is_waiting else OVER if batch.has_succeeded else FAILED if batch.is_over else RUNNING
    return LivingJob(f"{batch.id}{f', {batch.app_id}' if batch.app_id else ''}", state)
