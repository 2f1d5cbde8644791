"""Try a pipeline: its fixtures through Spark's in-memory stream, in a process of its own, without Kafka."""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from hdictl import assets
from hdictl.drivers import folders
from hdictl.drivers.java.find import Java, find_java
from hdictl.drivers.spark import command as spark_command
from hdictl.drivers.spark.archive import class_archive
from hdictl.drivers.spark.class_path import first_jars
from hdictl.drivers.spark.log import read_lines, reasons
from hdictl.errors import PipelineInvalid, SparkFailed
from hdictl.ports.progress import Progress
from hdictl.streaming.fixtures import Batch, read_fixtures
from hdictl.streaming.job import JobSpec
from hdictl.streaming.pipeline import Pipeline
from hdictl.streaming.spec import Surroundings, to_document
from hdictl.streaming.trial import Trial, judged

# A few rows a query: compiling code for them takes longer than running it, and more partitions are more files.
_QUICK = {
    "spark.master": "local[2]",
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.codegen.wholeStage": "false",
    # To look for filters that nobody wrote took 7 to 12 % of a trial's CPU; with a few rows nothing is gained by them.
    "spark.sql.constraintPropagation.enabled": "false",
}


class TrialRunner:
    """Runs trials on the Spark of `python`, by default the one that hdictl itself has."""

    def __init__(
        self,
        python: Path | None = None,
        *,
        java: Callable[[], Java] = find_java,
        environ: Mapping[str, str] = os.environ,
        cache: Path | None = None,
    ) -> None:
        self._python = (python or Path(sys.executable)).absolute()  # not resolved: a link leads out of its venv
        self._java = java
        self._environ = environ
        self._cache = cache or folders.cache()

    def run(self, pipeline: Pipeline, progress: Progress) -> tuple[Trial, dict[str, Any]]:
        """How it went, and all that came: query → rows, letters, totals."""
        begun = time.monotonic()
        fixtures = read_fixtures(pipeline)
        home = spark_command.home_of(self._python)
        java = self._java()
        first = first_jars(spark_command.version_of(home), progress, self._cache)
        archive = class_archive(self._cache, java, home, first, f"{os.getpid()}-{time.time_ns()}")
        options = [*spark_command.QUICK_START, "-Xms1g", "-Xmn320m", *spark_command.SAFE]
        options += archive.java_options(prepares=True)
        document = {
            "jvm": spark_command.gateway_command(java, home, options, first),
            "spec": self._document(pipeline),
            "feeds": feeds(pipeline),
            "batches": [_plain(batch) for batch in fixtures.batches],
            "archive": None if archive.file.exists() else [str(archive.draft), str(archive.file)],
        }
        found = self._played(pipeline, document)
        flows = judged(found["queries"], fixtures.expected)
        seconds = time.monotonic() - begun
        batches = len(fixtures.batches)
        return Trial(pipeline.document.name, found["spark"], fixtures.records, batches, flows, seconds), found[
            "queries"
        ]

    def _document(self, pipeline: Pipeline) -> dict[str, Any]:
        job = JobSpec(
            name=pipeline.document.name,
            pipeline=pipeline.folder,
            bootstrap="nowhere:9092",
            reads={name: name for name, source in pipeline.document.sources.items() if source.sink is None},
            writes={name: name for name, sink in pipeline.document.sinks.items() if sink.format == "kafka"},
            configuration={**spark_command.CONFIGURATION, **_QUICK},
        )
        return to_document(pipeline, job, Surroundings("file:///nowhere"))

    def _played(self, pipeline: Pipeline, document: Mapping[str, Any]) -> dict[str, Any]:
        where = f"pipeline `{pipeline.document.name}`"
        with tempfile.TemporaryDirectory() as folder:
            file, scratch, log = (Path(folder) / name for name in ("trial.json", "scratch", "log"))
            file.write_text(json.dumps(document), encoding="utf-8")
            scratch.mkdir()
            environ = spark_command.environment(self._java(), scratch, self._environ, python=self._python)
            with log.open("wb") as said, self._started(file, environ, said) as child:
                # It tells its result and only then ends, which may take longer: see `archive`.
                answer = next((line for line in child.stdout or () if line.startswith(b"{")), b"")
                if not answer:
                    child.wait()
            if not answer:
                lines = "".join(f"\n    {line}" for line in reasons(read_lines(log)))
                raise SparkFailed(f"the trial ended with exit code {child.returncode}{lines}", where=where)
        found: dict[str, Any] = json.loads(answer)
        if "what" in found:
            raise PipelineInvalid(found["what"], where=where, fix=found["fix"] or "see docs/pipelines.md")
        return found

    @contextmanager
    def _started(self, file: Path, environ: Mapping[str, str], log: BinaryIO) -> Iterator[subprocess.Popen[bytes]]:
        """Whoever is interrupted takes the trial along; whoever has its result lets it end by itself."""
        child = subprocess.Popen(
            [str(self._python), "-m", "testkit", str(file)],
            env={**environ, "PYTHONPATH": str(assets.jobs())},
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,
        )
        try:
            yield child
        except BaseException:
            os.killpg(child.pid, signal.SIGKILL)
            raise
        finally:
            if child.stdout is not None:
                child.stdout.close()


def feeds(pipeline: Pipeline) -> dict[str, list[str]]:
    """Source → the sinks of the same pipeline that it reads."""
    found = {
        name: [*([source.sink] if source.sink else []), *source.feedback]
        for name, source in pipeline.document.sources.items()
    }
    return {name: sinks for name, sinks in found.items() if sinks}


def _plain(batch: Batch) -> dict[str, list[list[Any]]]:
    return {
        source: [[_text(key), _text(value), timestamp] for key, value, timestamp in messages]
        for source, messages in batch.items()
    }


def _text(content: bytes | None) -> str | None:
    return None if content is None else base64.b64encode(content).decode()
