"""What a pipeline's queries are, asked of a Spark of this machine, without data and without Kafka."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from hdictl import assets
from hdictl.drivers import folders
from hdictl.drivers.java import jars
from hdictl.drivers.java.find import Java, find_java
from hdictl.drivers.spark import command as spark_command
from hdictl.drivers.spark import package as spark_package
from hdictl.drivers.spark.archive import class_archive
from hdictl.drivers.spark.class_path import first_jars
from hdictl.drivers.spark.log import reasons
from hdictl.errors import PipelineInvalid, SparkFailed
from hdictl.ports.progress import Progress
from hdictl.streaming.change import PipelineChange, to_change

_JOB_ERROR = "JobError: "


def analyse(
    document: Mapping[str, Any],
    against: Mapping[str, Mapping[str, str]],
    progress: Progress,
    *,
    java: Callable[[], Java] = find_java,
) -> PipelineChange:
    """`against`: `sidecars` (query → the note beside its checkpoint) and `topics` (topic → its id)."""
    found_java, home, spark = java(), spark_command.spark_home(), spark_command.spark_version()
    first = first_jars(spark, progress)
    archive = class_archive(folders.cache(), found_java, home, first, str(os.getpid()))
    options = [*spark_command.QUICK_START, *archive.java_options(prepares=False)]
    # What is in a checkpoint stays as the job has it: only what it is started with is added.
    configuration = {
        **{key: value for key, value in spark_command.CONFIGURATION.items() if not key.startswith("spark.sql.shuffle")},
        "spark.master": "local[1]",
        "spark.driver.extraClassPath": os.pathsep.join(map(str, first)),
        "spark.jars": ",".join(map(str, _formats(document, spark, progress))),
        "spark.driver.extraJavaOptions": " ".join(f'"{option}"' for option in options),
        **document["configuration"],
    }
    with tempfile.TemporaryDirectory() as folder:
        spec, known, scratch = (Path(folder) / name for name in ("spec.json", "against.json", "scratch"))
        spec.write_text(json.dumps({**document, "configuration": configuration}), encoding="utf-8")
        known.write_text(json.dumps(against), encoding="utf-8")
        scratch.mkdir()
        environ = spark_command.environment(found_java, scratch, os.environ)
        done = subprocess.run(
            [environ["PYSPARK_PYTHON"], str(spark_package.entry_point()), "--spec", str(spec), "--analyse", str(known)],
            env={**environ, "PYTHONPATH": str(assets.jobs())},
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
    answer = next((line for line in done.stdout.splitlines() if line.startswith('{"event": "analysed"')), None)
    if answer is None:
        raise _failure(document["pipeline"], done)
    return to_change(json.loads(answer))


def _formats(document: Mapping[str, Any], spark: str, progress: Progress) -> list[Path]:
    """They are looked up by their jars; the connector is not, for nothing is read."""
    users = [*document["sinks"].values(), *document["tables"].values()]
    _connector, *others = spark_package.jar_locks(spark, has_delta=any(each["format"] == "delta" for each in users))
    return [jar for name in others for jar in jars.ensure(name, progress)]


def _failure(pipeline: str, done: subprocess.CompletedProcess[str]) -> PipelineInvalid | SparkFailed:
    where = f"pipeline `{pipeline}`"
    told = next((line for line in done.stderr.splitlines() if line.startswith(_JOB_ERROR)), None)
    if told is not None:
        what, _, fix = told.removeprefix(_JOB_ERROR).partition(" → ")
        return PipelineInvalid(what, where=where, fix=fix or "see docs/pipelines.md")
    lines = "".join(f"\n    {line}" for line in reasons(done.stderr.splitlines()))
    return SparkFailed(f"Spark cannot analyse it{lines}", where=where, fix="see the query, and docs/pipelines.md")
