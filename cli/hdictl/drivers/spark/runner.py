"""Jobs on this machine: a real Spark, as a child process, by the same spark-submit that a cluster has.

A job resumes from its checkpoint when it was run before. Its folder is its own: `SparkLocal.files(job)`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

from hdictl.drivers import folders
from hdictl.drivers.java import jars
from hdictl.drivers.java.find import Java, find_java
from hdictl.drivers.locks import lock
from hdictl.drivers.spark import command as spark_command
from hdictl.drivers.spark import package as spark_package
from hdictl.drivers.spark.archive import class_archive
from hdictl.drivers.spark.background import READER_OPTIONS
from hdictl.drivers.spark.class_path import first_jars
from hdictl.drivers.spark.run import LocalRun, RunFiles
from hdictl.errors import SparkFailed
from hdictl.ports.progress import Progress
from hdictl.streaming.job import JobSpec
from hdictl.streaming.pipeline import load
from hdictl.streaming.spec import Surroundings, to_document


class SparkLocal:
    """A `JobRunner`. Every job keeps its checkpoint, log and progress below `folder`."""

    def __init__(
        self,
        folder: Path,
        *,
        java: Callable[[], Java] = find_java,
        environ: Mapping[str, str] = os.environ,
        cache: Path | None = None,
        prepares: bool = False,
    ) -> None:
        self._folder = folder
        self._java = java
        self._environ = environ
        self._cache = cache or folders.cache()
        self._prepares = prepares  # a class archive for later runs, when there is none

    def files(self, job: JobSpec) -> RunFiles:
        return RunFiles(self._folder / job.name)

    def forget(self, job: JobSpec) -> None:
        files = self.files(job)
        with _held(files, job):
            for path in (files.storage, files.scratch):
                shutil.rmtree(path, ignore_errors=True)
            files.progress.unlink(missing_ok=True)

    def start(self, job: JobSpec, progress: Progress) -> LocalRun:
        files = self.files(job)
        pipeline = load(job.pipeline)
        place = Surroundings(files.storage.as_uri(), progress_file=str(files.progress), reader_options=READER_OPTIONS)
        document = to_document(pipeline, job, place)
        java = self._java()
        spark = spark_command.spark_version()
        connector = jars.ensure(f"spark-{spark}", progress, cache=self._cache)
        first = first_jars(spark, progress, self._cache)
        with ExitStack() as stack:
            stack.enter_context(_held(files, job))
            _prepare(files, spark_command.for_the_session(document))
            archive = class_archive(self._cache, java, spark_command.spark_home(), first, str(os.getpid()))
            options = spark_command.java_options(document, archive.java_options(prepares=self._prepares))
            submission = spark_command.Submission(
                entry_point=spark_package.entry_point(),
                library=files.library,
                spec=files.spec,
                jars=connector,
                class_path=first,
                log_settings=spark_package.log_settings(),
                java_options=options,
            )
            process = self._submit(files, java, submission, stack)
            return LocalRun(job.name, files, process, archive, stack.pop_all())

    def _submit(
        self, files: RunFiles, java: Java, submission: spark_command.Submission, stack: ExitStack
    ) -> subprocess.Popen[bytes]:
        log = stack.enter_context(files.log.open("wb"))
        try:
            # A session of its own: Ctrl-C reaches us alone, and we end the job in good order.
            return subprocess.Popen(
                spark_command.command(submission),
                env=spark_command.environment(java, files.scratch, self._environ),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                cwd=files.folder,
            )
        except OSError as error:
            raise SparkFailed(
                f"spark-submit cannot be started: {error.strerror}",
                where=str(spark_command.spark_home()),
                fix="install pyspark again: it is a whole Spark, and this one has parts missing",
            ) from error


def _held(files: RunFiles, job: JobSpec) -> AbstractContextManager[None]:
    """Two runs on one checkpoint would spoil it."""
    return lock(files.folder / "run.lock", f"job `{job.name}`")


def _prepare(files: RunFiles, document: Mapping[str, object]) -> None:
    files.storage.mkdir(parents=True, exist_ok=True)
    files.stop_marker.unlink(missing_ok=True)  # one that an earlier run did not live to see
    shutil.rmtree(files.scratch, ignore_errors=True)
    files.scratch.mkdir()
    files.spec.write_text(json.dumps(document, indent=2), encoding="utf-8")
    spark_package.write_library(files.library)
