"""Start a measurement, or a whole job, by spark-submit: two cores, the whole JIT, no quick start."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hdictl import assets
from hdictl.drivers.java import jars
from hdictl.drivers.java.find import find_java
from hdictl.drivers.spark import command as spark_command
from hdictl.drivers.spark import package as spark_package
from hdictl.drivers.spark.class_path import first_jars
from hdictl.ports.progress import Silent

SIDE = Path(__file__).with_name("spark_side.py")
# Throughput, not start: the parallel collector, as docs recommend for jobs.
OPTIONS = ("-XX:+UseParallelGC", *spark_command.SAFE)


def measure(what: str, task: dict[str, Any], cores: int = 2) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "task.json"
        file.write_text(json.dumps({**task, "checkpoint": f"{folder}/checkpoint"}))
        command, environ = _submission(SIDE, [what, str(file)], folder, cores)
        environ["PYTHONPATH"] = str(assets.jobs())
        done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    answer = next((line for line in done.stdout.splitlines() if line.startswith("{")), None)
    if answer is None:
        raise RuntimeError(f"{what} ended with {done.returncode}: {done.stdout[-2000:]} {done.stderr[-3000:]}")
    found: dict[str, Any] = json.loads(answer)
    return found


@contextmanager
def running(document: dict[str, Any], folder: Path, cores: int = 2) -> Iterator[subprocess.Popen[bytes]]:
    """A job as it is shipped, while the context lasts."""
    file = folder / "spec.json"
    file.write_text(json.dumps(document))
    command, environ = _submission(spark_package.entry_point(), ["--spec", str(file)], folder, cores)
    with (folder / "job.log").open("wb") as log:
        process = subprocess.Popen(command, env=environ, stdout=log, stderr=subprocess.STDOUT)
        try:
            yield process
        finally:
            process.terminate()
            process.wait()


def _submission(entry_point: Path, arguments: list[str], folder: Path, cores: int) -> tuple[list[str], dict[str, str]]:
    scratch = folder / "scratch"
    scratch.mkdir()
    java = find_java()
    submission = spark_command.Submission(
        entry_point=entry_point,
        library=spark_package.write_library(folder / "streamkit.zip"),
        spec=folder,
        jars=jars.ensure(f"spark-{spark_command.spark_version()}", Silent()),
        class_path=first_jars(spark_command.spark_version(), Silent()),
        log_settings=spark_package.log_settings(),
        java_options=OPTIONS,
        cores=cores,
        memory="6g",
    )
    command = spark_command.command(submission)
    command[-2:] = arguments
    return command, spark_command.environment(java, scratch, os.environ)
