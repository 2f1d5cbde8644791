"""The real Livy 0.7.1 as a process of this machine: pinned jars, and the installed pyspark for its Spark.

Its jobs run on Python 3.8, as a cluster's do, where `HDICTL_PYTHON38` names one.

It stands for HDInsight's, with three differences: it runs jobs by `local[2]` and not on YARN, it lets jobs lie in one
folder of this machine, and it forgets finished batches after seconds. It looks for those once a minute only, from its
start on (`GarbageCollector` in Livy's SessionManager.scala): `SWEEP_SECONDS`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import requests

from hdictl.drivers import folders
from hdictl.drivers.free_ports import HOST, PortBook
from hdictl.drivers.java import jars
from hdictl.drivers.java.find import find_java
from hdictl.drivers.spark.command import environment
from hdictl.ports.progress import Silent

LOCK = "livy-0.7.1"
RETAIN_SECONDS = 15
SWEEP_SECONDS = 60.0
_READY_SECONDS = 60.0
_END_SECONDS = 10.0

# Scala 2.11 and Hadoop 2.7 look into Java's own classes, which Java 17 does not let them.
_OPENED = ("java.lang", "java.util", "java.lang.reflect", "java.net", "java.io")
_LOGGING = """\
log4j.rootCategory=INFO, console
log4j.appender.console=org.apache.log4j.ConsoleAppender
log4j.appender.console.target=System.err
log4j.appender.console.layout=org.apache.log4j.PatternLayout
log4j.appender.console.layout.ConversionPattern=%d{HH:mm:ss,SSS} %p %c{1}: %m%n
"""


class LivyServer:
    """A context; `jobs` is the one folder whose files may be submitted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.jobs = folder / "jobs"
        self.python = Path(os.environ.get("HDICTL_PYTHON38") or sys.executable)
        self._book = PortBook(folders.machine())
        self._process: subprocess.Popen[bytes] | None = None
        self._port = 0

    @property
    def root(self) -> str:
        return f"http://{HOST}:{self._port}"

    @property
    def log(self) -> Path:
        return self.folder / "livy.log"

    def __enter__(self) -> LivyServer:
        try:
            self._start()
            self._await_answer()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, *reason: object) -> None:
        self._end()

    def _start(self) -> None:
        java = find_java()
        class_path = jars.ensure(LOCK, Silent())
        self.jobs.mkdir(parents=True)
        (self._port,) = self._book.choose(self.folder, 1)
        settings = self._write_settings()
        opened = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in _OPENED]
        quick = ["-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"]
        # Livy decodes what jobs print by its locale, and stops reading at the first letter that is not in it.
        own = {"LIVY_HOME": str(self.folder), "LIVY_LOG_DIR": str(self.folder), "LC_ALL": "C.UTF-8"}
        with self.log.open("wb") as output:
            self._process = subprocess.Popen(
                [
                    *(str(java.executable), *quick, *opened),
                    *("-cp", os.pathsep.join([str(settings), *map(str, class_path)])),
                    "org.apache.livy.server.LivyServer",
                ],
                cwd=self.folder,
                env={**environment(java, self.folder / "scratch", os.environ, python=self.python), **own},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C reaches the tests alone, and they end it
            )

    def _write_settings(self) -> Path:
        folder = self.folder / "conf"
        folder.mkdir()
        told = {
            "livy.server.host": HOST,  # it would listen everywhere
            "livy.server.port": self._port,
            "livy.spark.master": "local[2]",
            "livy.file.local-dir-whitelist": self.jobs,
            "livy.server.csrf-protection.enabled": "true",  # as on HDInsight
            "livy.ui.enabled": "false",
            "livy.server.session.state-retain.sec": f"{RETAIN_SECONDS}s",
        }
        (folder / "livy.conf").write_text("".join(f"{key} = {value}\n" for key, value in told.items()))
        (folder / "log4j.properties").write_text(_LOGGING)
        return folder

    def _await_answer(self) -> None:
        deadline = time.monotonic() + _READY_SECONDS
        while True:
            with suppress(requests.ConnectionError):
                if requests.get(f"{self.root}/version", timeout=5).ok:
                    return
            assert self._process is not None
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"Livy does not come up:\n{self.log.read_text(errors='replace')[-3000:]}")
            time.sleep(0.05)

    def _end(self) -> None:
        """Livy ends its batches when it is asked to end; whatever does not is a child of it, and ended here."""
        if self._process is not None:
            family = [self._process, *psutil.Process(self._process.pid).children(recursive=True)] if self._lives else []
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_END_SECONDS)
            for process in family:
                with suppress(psutil.NoSuchProcess):
                    process.kill()
            self._process.wait()
        self._book.release(self.folder)

    @property
    def _lives(self) -> bool:
        return self._process is not None and self._process.poll() is None
