"""One Spark session for all tests of the job's library; they need a JVM, and no Kafka."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hdictl import assets
from hdictl.drivers import folders
from hdictl.drivers.java.find import find_java
from hdictl.drivers.spark.archive import class_archive
from hdictl.drivers.spark.command import QUICK_START, spark_home
from hdictl.drivers.spark.pipeline import load
from hdictl.drivers.spark.spec import to_document
from hdictl.ports.jobs import JobSpec
from tests.acceptance.spark.fake_topic import Bench

sys.path.insert(0, str(assets.jobs()))


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[object]:
    from streamkit.session import open_session

    java = find_java()
    prepared = class_archive(folders.cache(), java, spark_home(), "tests")
    archive = prepared.java_options(prepares=False)
    os.environ["JAVA_HOME"] = str(java.home)
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = open_session(
        "tests",
        {
            "spark.master": "local[2]",
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.sql.shuffle.partitions": "2",
            "spark.sql.catalogImplementation": "in-memory",
            # A few rows a query: compiling code for them takes longer than running it.
            "spark.sql.codegen.wholeStage": "false",
            "spark.sql.codegen.factoryMode": "NO_CODEGEN",
            "spark.driver.extraJavaOptions": " ".join([*QUICK_START, *archive]),
            "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
        },
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture
def page_activity() -> object:
    """The shipped pipeline, as the job gets it."""
    import json

    from streamkit.spec import parse

    job = JobSpec(
        name="page-activity",
        pipeline=assets.pipeline("page_activity"),
        bootstrap="nowhere:9092",
        reads={"page_views": "page-views"},
        writes={"activity": "page-activity", "dead_letters": "page-views-dead"},
    )
    document = to_document(load(job.pipeline), job, storage="file:///nowhere", progress_file=None)
    return parse(json.dumps(document))


@pytest.fixture
def bench(spark: object, page_activity: object, tmp_path: Path) -> Iterator[Callable[..., Bench]]:
    """Starts a pipeline on a topic that is fed by hand; what is passed replaces parts of its only source."""
    benches: list[Bench] = []

    def start(**changes: object) -> Bench:
        name, source = next(iter(page_activity.sources.items()))
        spec = replace(page_activity, sources={name: replace(source, **changes)})
        benches.append(Bench(spark, spec, tmp_path / str(len(benches))))
        return benches[-1]

    yield start
    for each in benches:
        each.stop()
