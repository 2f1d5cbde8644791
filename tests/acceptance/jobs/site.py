"""One place to run jobs at: this machine, or a real Livy."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Protocol

import psutil

from hdictl.drivers import folders
from hdictl.drivers.java.find import find_java
from hdictl.drivers.job_folder import LocalFolder
from hdictl.drivers.livy.client import LivyClient
from hdictl.drivers.livy.connect import connect
from hdictl.drivers.livy.jobs import LivyJobs
from hdictl.drivers.livy.staging import SparkCluster
from hdictl.drivers.local.processes import end, is_alive
from hdictl.drivers.spark.archive import class_archive
from hdictl.drivers.spark.background import LocalJobs
from hdictl.drivers.spark.class_path import first_jars
from hdictl.drivers.spark.command import CONFIGURATION, QUICK_START, home_of, version_of
from hdictl.ports.job_driver import JobDriver
from hdictl.ports.progress import Silent
from tests.acceptance.livy.server import LivyServer

PREFIX = "contract"


class Site(Protocol):
    folder: Path  # where the folders of jobs are
    keeps_log: bool  # whole, and after the job has ended

    def driver(self) -> JobDriver:
        """A new one, as another command would have it."""

    def forget(self, job: str) -> None:
        """Whoever has run the job knows nothing of it any more, as Livy after a while."""


class LocalSite:
    keeps_log = True

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def driver(self) -> LocalJobs:
        return LocalJobs(self.folder, self.folder.name)

    def forget(self, job: str) -> None:
        (self.folder / job / "process.json").unlink()


class LivySite:
    keeps_log = False

    def __init__(self, livy: LivyServer, client: LivyClient, folder: Path) -> None:
        self.folder = folder
        self.client = client
        self._livy = livy

    def driver(self) -> LivyJobs:
        # What a cluster has by itself: Livy's own Spark would take the machine's name, and 200 partitions.
        home = home_of(self._livy.python)
        first = first_jars(version_of(home), Silent())
        archive = class_archive(folders.cache(), find_java(), home, first, "tests").java_options(prepares=False)
        quick = {
            "spark.driver.extraJavaOptions": " ".join([*QUICK_START, *archive]),
            "spark.driver.extraClassPath": os.pathsep.join(map(str, first)),
            "spark.driver.memory": "1g",
        }
        cluster = SparkCluster(version_of(home), f"{PREFIX}-{self.folder.name}", "Livy", {**CONFIGURATION, **quick})
        return LivyJobs(self.client, lambda job: nullcontext(LocalFolder(self.folder / job)), cluster)

    def forget(self, job: str) -> None:
        batch = self.client.batch(f"{PREFIX}-{self.folder.name}-{job}")
        assert batch is not None
        assert batch.is_over
        self.client.delete(batch.id)


@contextmanager
def local_site(folder: Path) -> Iterator[LocalSite]:
    try:
        yield LocalSite(folder)
    finally:
        end(family(folder), grace=0)


@contextmanager
def livy_site(livy: LivyServer, name: str) -> Iterator[LivySite]:
    folder = livy.jobs / name
    with connect(livy.root, None, None, "Livy") as client:
        before = {batch.id for batch in client.batches()}
        try:
            yield LivySite(livy, client, folder)
        finally:
            for batch in client.batches():
                if batch.id not in before:
                    client.delete(batch.id)
            end(family(folder), grace=0)


def family(folder: Path) -> list[psutil.Process]:
    """Living processes of jobs whose folders are below this one."""
    found = []
    for process in psutil.process_iter():
        try:
            if any(f"{folder}/" in part for part in process.cmdline()) and process.pid != os.getpid():
                found.append(process)
        except psutil.Error:
            continue
    return [process for process in found if is_alive(process)]


def crash(folder: Path) -> None:
    """The driver's JVM is gone from one moment to the next."""
    machines = [process for process in family(folder) if process.name() == "java"]
    assert machines
    for process in machines:
        process.send_signal(signal.SIGKILL)
    psutil.wait_procs(machines, timeout=30)
