"""One Livy to try the contract on: the fake, or the real one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Protocol

import requests

from hdictl.drivers import folders
from hdictl.drivers.java.find import find_java
from hdictl.drivers.livy.batch import BatchRequest
from hdictl.drivers.spark.archive import class_archive
from hdictl.drivers.spark.class_path import first_jars
from hdictl.drivers.spark.command import QUICK_START, spark_home, spark_version
from hdictl.ports.progress import Silent
from tests.acceptance.livy.server import RETAIN_SECONDS, SWEEP_SECONDS, LivyServer
from tests.fakes.livy import FakeLivy, Job

HEADER = {"X-Requested-By": "tests"}

# Livy kills a batch's JVM, and a Python that has nothing to say to it at that moment goes on without: see test_real.
_SCRIPT = """\
import os, sys, time

parent, deadline = os.getppid(), time.time() + 120

def wait_for(gate):
    while not os.path.exists(gate):
        if os.getppid() != parent or time.time() > deadline:
            sys.exit("nobody is there any more")
        time.sleep(0.02)

for number, burst in enumerate({bursts!r}):
    if number:
        wait_for({gate!r} + str(number))
    print("\\n".join(burst), flush=True)
if {code!r} is None:
    wait_for({gate!r} + "never")
sys.exit({code!r})
"""


class Site(Protocol):
    root: str
    patience: float  # seconds, for what may take a JVM
    memory: float  # seconds after which Livy has forgotten what ended

    def add(self, name: str, job: Job) -> str:
        """The file to submit."""

    def release(self, file: str) -> None:
        """Let the job go on."""

    def missing(self, name: str) -> str:
        """A file that is not there, where one might be."""

    def pass_time(self) -> None:
        """As much as it takes until Livy forgets what has ended, where that can be done."""


class FakeSite:
    patience = 1.0
    memory = 1.0

    def __init__(self, livy: FakeLivy) -> None:
        self.root = livy.root
        self._livy = livy

    def add(self, name: str, job: Job) -> str:
        return self._livy.add(name, job)

    def release(self, file: str) -> None:
        self._livy.world.release(file)

    def missing(self, name: str) -> str:
        return f"/jobs/{name}.py"

    def pass_time(self) -> None:
        self._livy.world.pass_time(601)


class RealSite:
    patience = 60.0
    memory = RETAIN_SECONDS + 2 * SWEEP_SECONDS

    def __init__(self, livy: LivyServer) -> None:
        self.root = livy.root
        self._livy = livy
        self._released: dict[str, int] = {}

    def add(self, name: str, job: Job) -> str:
        file = self._livy.jobs / f"{name}.py"
        file.write_text(_SCRIPT.format(bursts=job.bursts, code=job.code, gate=f"{file}."), encoding="utf-8")
        return str(file)

    def release(self, file: str) -> None:
        self._released[file] = self._released.get(file, 0) + 1
        Path(f"{file}.{self._released[file]}").touch()

    def missing(self, name: str) -> str:
        return str(self._livy.jobs / f"{name}.py")

    def pass_time(self) -> None:
        """It passes by itself."""


def request(file: str, name: str | None = None, **more: Any) -> BatchRequest:
    """With what lets a JVM start quickly."""
    first = first_jars(spark_version(), Silent())
    archive = class_archive(folders.cache(), find_java(), spark_home(), first, "tests").java_options(prepares=False)
    conf = {
        "spark.driver.extraJavaOptions": " ".join([*QUICK_START, *archive]),
        "spark.driver.extraClassPath": os.pathsep.join(map(str, first)),
        "spark.ui.enabled": False,
    }
    return BatchRequest(file, name, conf=conf, **more)


def post(site: Site, body: dict[str, Any], headers: dict[str, str] = HEADER) -> requests.Response:
    """As it is, past the client."""
    return requests.post(f"{site.root}/batches", json=body, headers=headers, timeout=30)
