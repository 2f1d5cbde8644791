"""One Spark session for all tests of the job's library; they need a JVM, and no Kafka."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.streamkit import given
from tests.acceptance.streamkit.streams import Stream

sys.path.insert(0, str(given.JOBS))


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """With the settings of a job, and those that make a few rows quick."""
    from streamkit.session import open_session

    start = given.spark()
    os.environ["JAVA_HOME"] = start["java_home"]
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = open_session(
        "tests",
        {
            **start["configuration"],
            "spark.master": "local[2]",
            "spark.sql.shuffle.partitions": "1",
            # A few rows a query: compiling code for them takes longer than running it.
            "spark.sql.codegen.wholeStage": "false",
            "spark.sql.codegen.factoryMode": "NO_CODEGEN",
            "spark.sql.debug.maxToStringFields": "1000",
            "spark.driver.extraJavaOptions": " ".join(f'"{option}"' for option in start["java_options"]),
            "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
        },
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture
def stream(spark: Any, tmp_path: Path) -> Iterator[Callable[..., Stream]]:
    """Starts one flow of a job on topics that are fed by hand."""
    streams: list[Stream] = []

    def start(spec: Any, flow: str | None = None) -> Stream:
        streams.append(Stream(spark, spec, flow or next(iter(spec.flows)), tmp_path / str(len(streams))))
        return streams[-1]

    yield start
    for each in streams:
        each.stop()
