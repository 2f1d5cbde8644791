"""Jobs on a cluster, through its Livy: everything is staged in the cluster's storage, and started from there.

A job's name is its lock: Livy takes no second batch of the same name while it remembers the first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from hdictl.drivers.java import jars
from hdictl.drivers.java.jar_lock import read_lock
from hdictl.drivers.livy.argument import packed
from hdictl.drivers.livy.batch import Batch, BatchRequest
from hdictl.drivers.livy.client import LivyClient
from hdictl.drivers.livy.log_follow import LogFollower
from hdictl.drivers.spark import command as spark_command
from hdictl.drivers.spark import package as spark_package
from hdictl.errors import JobExists, JobRefused
from hdictl.ports.job_driver import FAILED, OVER, RUNNING, STARTING, JobPackage, LivingJob
from hdictl.ports.job_storage import JobStorage
from hdictl.ports.progress import Progress
from hdictl.streaming.spec import Surroundings

_LONGEST_ARGUMENT = 100_000  # the system takes 131,072 bytes, of Livy's own command line as well
_POLL_SECONDS = 1.0
_FORGOTTEN_SECONDS = 30.0
# Versions of the pieces that the connector needs are in the lock; by coordinates the cluster resolves them itself.
_BY_COORDINATES = ("spark-sql-kafka-0-10", "spark-avro", "delta-core", "delta-spark")

Storages = Callable[[str], AbstractContextManager[JobStorage]]  # job → its folder


@dataclass(frozen=True)
class SparkCluster:
    """A cluster's Spark, as far as its jobs have to know it."""

    spark: str  # version
    prefix: str  # of its batches' names
    where: str  # for messages
    configuration: Mapping[str, str] = field(default_factory=dict)  # of every batch


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

    def surroundings(self, job: str) -> Surroundings:
        with self._storages(job) as storage:
            return Surroundings(storage.root, tables=f"{storage.root}/package")

    def package_digest(self, *, has_delta: bool) -> str:
        return spark_package.package_digest(self.spark, has_delta=has_delta)

    def find(self, job: str) -> LivingJob | None:
        batch = self._client.batch(self._name(job))
        if batch is not None and batch.looks_phantom:
            self._pause(_POLL_SECONDS)  # one that is being started looks the same for milliseconds
            batch = self._client.batch(batch.id)
        return None if batch is None or batch.looks_phantom else _living(batch)

    def launch(self, package: JobPackage, progress: Progress) -> LivingJob:
        self._clear(package.name)
        with self._storages(package.name) as storage:
            request = self._staged(package, storage, progress)
        batch = self._client.submit(request)
        progress.step(f"{package.name}: batch {batch.id} of {self.where}")
        return _living(batch)

    def kill(self, job: str) -> None:
        batch = self._client.batch(self._name(job))
        if batch is not None:
            self._client.delete(batch.id)

    def log(self, job: str, *, lines: int, follow: bool) -> Iterator[str]:
        batch = self._client.batch(self._name(job))
        if batch is None:
            return
        follower = LogFollower()
        window, _lost = follower.new_lines(self._client.log(batch.id))
        yield from window[len(window) - min(lines, len(window)) :]
        while follow:
            found = self._client.batch(batch.id)  # asked before reading, so that no line is missed
            new, lost = follower.new_lines(self._client.log(batch.id))
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
        batch = self._client.batch(self._name(job))
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

    def _staged(self, package: JobPackage, storage: JobStorage, progress: Progress) -> BatchRequest:
        document = packed(package.document)
        if len(document) > _LONGEST_ARGUMENT:
            raise JobRefused(
                f"what it is told has {len(document):,} bytes when it is packed, "
                f"and Livy can pass on {_LONGEST_ARGUMENT:,}",
                where=f"job `{package.name}`",
                fix="make schemas and transforms smaller, or split the pipeline",
            )
        root = storage.root.rstrip("/")
        with progress.track(f"staging {package.name}") as _advance, TemporaryDirectory() as folder:
            library = spark_package.write_library(Path(folder) / "streamkit.zip")
            storage.upload("package/run_pipeline.py", spark_package.entry_point())
            storage.upload("package/streamkit.zip", library)
            for table in package.pipeline.table_files():
                storage.upload(f"package/{table}", package.pipeline.folder / table)
            staged = [] if package.uses_packages else self._staged_jars(package, storage, progress)
        return BatchRequest(
            file=f"{root}/package/run_pipeline.py",
            name=self._name(package.name),
            args=("--spec", document),
            py_files=(f"{root}/package/streamkit.zip",),
            jars=tuple(staged),
            conf=self._conf(package),
            driver_memory=package.resources.driver_memory,
            driver_cores=package.resources.driver_cores,
            executor_memory=package.resources.executor_memory,
            executor_cores=package.resources.executor_cores,
            num_executors=package.resources.executors,
        )

    def _staged_jars(self, package: JobPackage, storage: JobStorage, progress: Progress) -> list[str]:
        found = []
        for name in spark_package.jar_locks(self.spark, has_delta=package.has_delta):
            for jar in jars.ensure(name, progress, cache=self._cache):
                storage.upload(f"package/jars/{jar.name}", jar)
                found.append(f"{storage.root.rstrip('/')}/package/jars/{jar.name}")
        return found

    def _conf(self, package: JobPackage) -> dict[str, str]:
        safe = " ".join(spark_command.SAFE)
        conf = {"spark.driver.extraJavaOptions": safe, "spark.executor.extraJavaOptions": safe}
        conf |= {key: str(value) for key, value in package.document["configuration"].items()}
        conf |= self._cluster.configuration
        if package.uses_packages:
            locked = [
                jar
                for name in spark_package.jar_locks(self.spark, has_delta=package.has_delta)
                for jar in read_lock(name)
            ]
            conf["spark.jars.packages"] = ",".join(
                str(jar) for jar in locked if jar.artifact.startswith(_BY_COORDINATES)
            )
        return conf


def _living(batch: Batch) -> LivingJob:
    state = STARTING if batch.is_waiting else RUNNING if batch.is_running else OVER if batch.has_succeeded else FAILED
    return LivingJob(f"{batch.id}{f', {batch.app_id}' if batch.app_id else ''}", state)
