"""Jobs in the background of this machine: spark-submit in a session of its own, found again by whoever comes later."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from hdictl.drivers import folders
from hdictl.drivers.java import jars
from hdictl.drivers.java.find import Java, find_java
from hdictl.drivers.job_folder import LocalFolder
from hdictl.drivers.local import processes
from hdictl.drivers.local.log_files import last_lines
from hdictl.drivers.locks import lock
from hdictl.drivers.spark import command as spark_command
from hdictl.drivers.spark import package as spark_package
from hdictl.drivers.spark.archive import class_archive
from hdictl.drivers.spark.class_path import first_jars
from hdictl.drivers.spark.run import RunFiles
from hdictl.errors import JobExists
from hdictl.ports.job_driver import OVER, RUNNING, JobPackage, LivingJob
from hdictl.ports.job_storage import JobStorage
from hdictl.ports.progress import Progress
from hdictl.streaming.spec import Surroundings

# A broker that is away is told after seconds here; the defaults would wait for minutes.
READER_OPTIONS = {"default.api.timeout.ms": "15000", "request.timeout.ms": "10000"}
_GRACE_SECONDS = 5.0
_CLOCK_SLACK = 2.0
_POLL_SECONDS = 0.25


class LocalJobs:
    """A `JobDriver`. `instance` tells the jobs of one stack from those of another."""

    def __init__(
        self,
        folder: Path,
        instance: str,
        *,
        java: Callable[[], Java] = find_java,
        environ: Mapping[str, str] = os.environ,
        cache: Path | None = None,
    ) -> None:
        self._folder = folder
        self._instance = instance
        self._java = java
        self._environ = environ
        self._cache = cache or folders.cache()
        self.spark = spark_command.spark_version()
        self.where = "this machine"

    def files(self, job: str) -> RunFiles:
        return RunFiles(self._folder / job)

    @contextmanager
    def storage(self, job: str) -> Iterator[JobStorage]:
        yield LocalFolder(self.files(job).storage)

    def surroundings(self, job: str, version: str) -> Surroundings:
        files = self.files(job)
        return Surroundings(
            files.storage.absolute().as_uri(), progress_file=str(files.progress), reader_options=READER_OPTIONS
        )

    def package_digest(self, *, has_delta: bool) -> str:
        return spark_package.package_digest(self.spark, has_delta=has_delta)

    def find(self, job: str) -> LivingJob | None:
        process = self._process(job)
        if process is not None:
            return LivingJob(str(process.pid), RUNNING, process.create_time())
        note = self._note(job)
        return None if note is None else LivingJob(str(note["pid"]), OVER, note["started"])

    def stage(self, package: JobPackage, progress: Progress) -> StagedProcess:
        locks = spark_package.jar_locks(self.spark, has_delta=package.has_delta)
        connector = [jar for name in locks for jar in jars.ensure(name, progress, cache=self._cache)]
        return StagedProcess(self, package, connector, first_jars(self.spark, progress, self._cache), self._java())

    def start(self, package: JobPackage, connector: Sequence[Path], first: Sequence[Path], java: Java) -> LivingJob:
        files = self.files(package.name)
        with lock(files.folder / "run.lock", f"job `{package.name}`"):
            if self._process(package.name) is not None:
                raise JobExists("it runs already", where=f"job `{package.name}`", fix="stop it first: hdictl jobs stop")
            self._prepare(files, package)
            archive = class_archive(self._cache, java, spark_command.spark_home(), first, package.name)
            submission = spark_command.Submission(
                entry_point=spark_package.entry_point(),
                library=files.library,
                spec=files.spec,
                jars=connector,
                class_path=first,
                log_settings=spark_package.log_settings(),
                java_options=[
                    self._identity(package.name).marker,
                    *spark_command.java_options(package.document, archive.java_options(prepares=False)),
                ],
                memory=package.resources.driver_memory or "1g",
            )
            process = processes.start(
                spark_command.command(submission),
                folder=files.folder,
                console=files.log,
                environ=spark_command.environment(java, files.scratch, self._environ),
            )
            note = {"pid": process.pid, "started": process.create_time()}
            self._note_file(package.name).write_text(json.dumps(note), encoding="utf-8")
        return LivingJob(str(process.pid), RUNNING, note["started"])

    def kill(self, job: str, run: str) -> bool:
        process = self._process(job)
        return process is not None and str(process.pid) == run and self._ended(process) > 0

    def log(self, job: str, *, lines: int, follow: bool) -> Iterator[str]:
        log, process = self.files(job).log, self._process(job)
        if not follow or not log.exists():
            yield from last_lines(log, lines)
            return
        with log.open("rb") as stream:
            *whole, held = stream.read().split(b"\n")
            yield from map(_text, whole[len(whole) - min(lines, len(whole)) :])
            while True:
                # Of this run alone, and asked before reading, so that no line is missed.
                is_over = process is None or not processes.is_alive(process)
                *whole, held = (held + stream.read()).split(b"\n")
                yield from map(_text, whole)
                if is_over:
                    return
                time.sleep(_POLL_SECONDS)

    def names(self) -> list[str]:
        """Jobs that have left something here, if only what they were started with."""
        return sorted(file.parent.name for file in self._folder.glob("*/spec.json"))

    def forget(self, job: str, *, keep_data: bool) -> int:
        """End it; without `keep_data` nothing of it is left. Returns how many processes there were."""
        process = self._process(job)
        ended = 0 if process is None else self._ended(process)
        if not keep_data:
            shutil.rmtree(self.files(job).folder, ignore_errors=True)
        return ended

    def _ended(self, process: psutil.Process) -> int:
        return processes.end([process], grace=_GRACE_SECONDS)

    def _prepare(self, files: RunFiles, package: JobPackage) -> None:
        files.storage.mkdir(parents=True, exist_ok=True)
        files.stop_marker.unlink(missing_ok=True)  # one that an earlier run did not live to see
        shutil.rmtree(files.scratch, ignore_errors=True)
        files.scratch.mkdir()
        if files.log.exists():
            files.log.replace(files.log.with_suffix(".log.1"))
        document = spark_command.for_the_session(package.document)
        files.spec.write_text(json.dumps(document, indent=2), encoding="utf-8")
        spark_package.write_library(files.library)

    def _identity(self, job: str) -> processes.Identity:
        return processes.Identity(self._instance, "jobs", job, self.files(job).spec)

    def _process(self, job: str) -> psutil.Process | None:
        """By what was written down; when that is lost, or the clock was set since, by its command line.

        No stranger has that. While it starts, and when it has almost ended, it has none itself: then the time tells.
        """
        note = self._note(job)
        if note is not None:
            with suppress(psutil.Error):
                process = psutil.Process(int(note["pid"]))
                is_same = abs(process.create_time() - note["started"]) <= _CLOCK_SLACK
                if is_same and processes.is_alive(process):
                    return process
        return processes.find(self._identity(job), None, None) if self.files(job).spec.exists() else None

    def _note(self, job: str) -> dict[str, float] | None:
        try:
            note = json.loads(self._note_file(job).read_text(encoding="utf-8"))
            return {"pid": int(note["pid"]), "started": float(note["started"])}
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _note_file(self, job: str) -> Path:
        return self.files(job).folder / "process.json"


@dataclass(frozen=True)
class StagedProcess:
    """A `StagedJob`."""

    _jobs: LocalJobs
    _package: JobPackage
    _connector: Sequence[Path]
    _first: Sequence[Path]
    _java: Java

    def start(self, progress: Progress) -> LivingJob:
        return self._jobs.start(self._package, self._connector, self._first, self._java)


def _text(line: bytes) -> str:
    return line.decode("utf-8", errors="replace")
