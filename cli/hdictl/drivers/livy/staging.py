"""Everything that a batch needs, in the cluster's storage, and the request that names it there.

What goes along lies in a folder of its version, and jars are called by theirs: a run that is at work still reads its
own files (YARN fetches them for every new executor, and refuses one that was written over).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from hdictl.drivers.java import jars
from hdictl.drivers.java.jar_lock import read_lock
from hdictl.drivers.livy.argument import packed
from hdictl.drivers.livy.batch import BatchRequest
from hdictl.drivers.spark import command as spark_command
from hdictl.drivers.spark import package as spark_package
from hdictl.errors import JobRefused
from hdictl.ports.job_driver import JobPackage
from hdictl.ports.job_storage import JobStorage
from hdictl.ports.progress import Progress

PACKAGE = "package"
_JARS = "jars"
_LONGEST_ARGUMENT = 100_000  # the system takes 131,072 bytes, of Livy's own command line as well
# Versions of the pieces that the connector needs are in the lock; by coordinates the cluster resolves them itself.
_BY_COORDINATES = ("spark-sql-kafka-0-10", "spark-avro", "delta-core", "delta-spark")


@dataclass(frozen=True)
class SparkCluster:
    """A cluster's Spark, as far as its jobs have to know it."""

    spark: str  # version
    prefix: str  # of its batches' names
    where: str  # for messages
    configuration: Mapping[str, str] = field(default_factory=dict)  # of every batch


def stage(
    package: JobPackage, storage: JobStorage, cluster: SparkCluster, cache: Path | None, progress: Progress
) -> BatchRequest:
    document = _argument(package)
    folder = f"{PACKAGE}/{package.version}"
    progress.step(f"{package.name}: staging its files in {cluster.where}")
    with TemporaryDirectory() as place:
        library = spark_package.write_library(Path(place) / "streamkit.zip")
        storage.upload(f"{folder}/run_pipeline.py", spark_package.entry_point())
        storage.upload(f"{folder}/streamkit.zip", library)
        for table in package.pipeline.table_files():
            storage.upload(f"{folder}/{table}", package.pipeline.folder / table)
        staged = [] if package.uses_packages else _staged_jars(package, storage, cluster, cache, progress)
    root = f"{storage.root.rstrip('/')}/{folder}"
    return BatchRequest(
        file=f"{root}/run_pipeline.py",
        name=f"{cluster.prefix}-{package.name}",
        args=("--spec", document),
        py_files=(f"{root}/streamkit.zip",),
        jars=tuple(staged),
        conf=_conf(package, cluster),
        driver_memory=package.resources.driver_memory,
        driver_cores=package.resources.driver_cores,
        executor_memory=package.resources.executor_memory,
        executor_cores=package.resources.executor_cores,
        num_executors=package.resources.executors,
    )


def forget_others(storage: JobStorage, version: str) -> None:
    """Versions that no run reads any more."""
    for each in storage.list(PACKAGE):
        if each.is_folder and each.name not in (_JARS, version):
            storage.delete(f"{PACKAGE}/{each.name}")


def _argument(package: JobPackage) -> str:
    document = packed(spark_command.for_the_session(package.document))
    if len(document) > _LONGEST_ARGUMENT:
        raise JobRefused(
            f"what it is told has {len(document):,} bytes when it is packed, "
            f"and Livy can pass on {_LONGEST_ARGUMENT:,}",
            where=f"job `{package.name}`",
            fix="make schemas and transforms smaller, or split the pipeline",
        )
    return document


def _staged_jars(
    package: JobPackage, storage: JobStorage, cluster: SparkCluster, cache: Path | None, progress: Progress
) -> list[str]:
    found = []
    for name in spark_package.jar_locks(cluster.spark, has_delta=package.has_delta):
        for jar in jars.ensure(name, progress, cache=cache):
            storage.upload(f"{PACKAGE}/{_JARS}/{jar.name}", jar)
            found.append(f"{storage.root.rstrip('/')}/{PACKAGE}/{_JARS}/{jar.name}")
    return found


def _conf(package: JobPackage, cluster: SparkCluster) -> dict[str, str]:
    conf = {key: str(value) for key, value in package.document["configuration"].items()}
    conf |= cluster.configuration
    for key in spark_command.JAVA_OPTIONS:
        conf[key] = " ".join([*spark_command.SAFE, conf.get(key, "")]).strip()
    if package.uses_packages:
        locks = spark_package.jar_locks(cluster.spark, has_delta=package.has_delta)
        locked = [jar for name in locks for jar in read_lock(name)]
        conf["spark.jars.packages"] = ",".join(str(jar) for jar in locked if jar.artifact.startswith(_BY_COORDINATES))
    return conf
