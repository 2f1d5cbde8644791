"""A job at work is stopped only for one that can go on from its checkpoints."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from hdictl.drivers.job_folder import LocalFolder
from hdictl.drivers.spark.command import spark_version
from hdictl.errors import (
    JarsUnavailable,
    JavaMissing,
    JobRefused,
    KafkaRejected,
    KafkaUnreachable,
    PipelineInvalid,
    SparkFailed,
)
from hdictl.ports.job_storage import StoredFile
from hdictl.ports.progress import Silent
from hdictl.streaming.change import FORBIDDEN, IN_PLACE, NEW, NEW_CHECKPOINT, Difference, PipelineChange, QueryChange
from hdictl.streaming.state import STOP
from hdictl.workflow.jobs.change import job_change, notes_of
from hdictl.workflow.jobs.package import to_package
from hdictl.workflow.jobs.submit import Patience, submit_job
from hdictl.workflow.jobs.succession import comparison, require_succession
from tests.fakes.jobs import FakeClock, FakeJobs, FakeOffsets, Told, bound_job
from tests.fakes.small_pipeline import BINDING, PIPELINE, write_pipeline


class Comparison:
    """Says the same of every change, and counts how often it was asked."""

    def __init__(self, *verdicts: str) -> None:
        self._verdicts = verdicts
        self.count = 0

    def __call__(self, *_asked: Any) -> PipelineChange:
        self.count += 1
        queries = [
            QueryChange(f"q{number}", "output", verdict, "kafka out", {}, (), (_difference(verdict),))
            for number, verdict in enumerate(self._verdicts)
        ]
        return PipelineChange("3.3.1", tuple(queries), ())


def _difference(verdict: str) -> Difference:
    return Difference(verdict, f"operators of {verdict}:\n- this\n+ that", "state does not fit")


@pytest.fixture
def at_work(driver: FakeJobs) -> FakeJobs:
    driver.spark = spark_version()
    driver.run("other")
    driver.files.write("checkpoints/passed/hdictl.json", b"{}")
    driver.files.write("checkpoints/passed/offsets/0", b"v1")
    return driver


def test_a_note_counts_when_its_query_has_begun_and_one_that_has_begun_without_is_told(driver: FakeJobs):
    driver.files.write("checkpoints/passed/hdictl.json", b"{}")
    assert notes_of(driver, "orders") == {}
    driver.files.write("checkpoints/passed/offsets/0", b"v1")
    driver.files.write("checkpoints/foreign/offsets/0", b"v1")
    assert notes_of(driver, "orders") == {"passed": "{}", "foreign": ""}


def submit(driver: FakeJobs, bound: Any, compare: Any, **more: Any) -> Any:
    clock = FakeClock(lambda _: driver.end() if driver.files.read(STOP) is not None and not driver.calls else None)
    patience = Patience(stop=10, start=20, clock=clock.clock)
    return submit_job(driver, bound, Silent(), patience=patience, compare=compare, **more)


@pytest.mark.parametrize("verdict", [NEW_CHECKPOINT, FORBIDDEN])
def test_one_that_cannot_go_on_is_refused_and_the_run_at_work_stays(at_work, bound, verdict):
    with pytest.raises(JobRefused, match="the run at work was left alone") as failure:
        submit(at_work, bound, Comparison(IN_PLACE, verdict, NEW))
    assert failure.value.what.endswith(f"query `q1`: operators of {verdict} (state does not fit)")
    assert "hdictl pipeline plan orders" in failure.value.fix
    assert (at_work.calls, at_work.living.id, at_work.files.read(STOP)) == ([], "7", None)


def test_one_that_goes_on_in_place_takes_over(at_work, bound):
    assert submit(at_work, bound, Comparison(IN_PLACE, NEW)).action == "restarted"


def test_a_query_that_spark_does_not_take_is_refused_too(at_work, bound):
    for failure in (PipelineInvalid, SparkFailed):
        with pytest.raises(failure):
            submit(at_work, bound, _failing(failure("there is no column `amont`")))
    assert (at_work.calls, at_work.living.id) == ([], "7")


@pytest.mark.parametrize("failure", [JavaMissing, JarsUnavailable])
def test_where_there_is_no_spark_it_is_tried(at_work, bound, failure):
    """Whoever submits to a cluster need not have a Java."""
    assert submit(at_work, bound, _failing(failure("there is none"))).action == "restarted"


def _failing(error: Exception) -> Any:
    def compare(*_asked: Any) -> PipelineChange:
        raise error

    return compare


def test_nothing_is_compared_where_nothing_runs_or_nothing_has_changed(at_work, bound):
    compare = Comparison(FORBIDDEN)
    at_work.run(to_package(at_work, bound).fingerprint)
    submit(at_work, bound, compare)
    submit(at_work, bound, compare, is_forced=True)
    at_work.run("other")
    at_work.end()
    submit(at_work, bound, compare)
    at_work.files.delete("checkpoints")
    at_work.run("other")
    at_work.calls.clear()
    submit(at_work, bound, compare)
    assert compare.count == 0


def test_a_folder_is_read_for_notes_once(at_work, bound, tmp_path):
    """On Azure every look is a request."""
    looks: list[str] = []
    found: list[Any] = []

    class Watched(LocalFolder):
        def list(self, folder: str) -> tuple[StoredFile, ...]:
            looks.append(folder)
            return super().list(folder)

    def analyse(_document: Any, against: Any, _progress: Any) -> PipelineChange:
        found.append(against["sidecars"])
        return PipelineChange("3.3.1", (), ())

    def compare(driver: Any, bound: Any, notes: Any, progress: Any) -> PipelineChange:
        return job_change(driver, bound, notes, lambda _: {}, progress, analyse=analyse)

    at_work.files = Watched(tmp_path / "folder")
    require_succession(at_work, bound, Silent(), compare, here=lambda: at_work.spark)
    assert found == [{"passed": "{}"}]
    assert looks == ["checkpoints", "checkpoints/passed/offsets"]


class Change:
    """What `job_change` is asked, and the ids of topics that it would have."""

    def __init__(self) -> None:
        self.ids: Any = None

    def __call__(self, _driver: Any, _bound: Any, _notes: Any, topic_ids: Any, _progress: Any) -> PipelineChange:
        self.ids = topic_ids(["orders"])
        return PipelineChange("3.3.1", (), ())


def test_topics_are_compared_by_their_ids_before_the_stop(at_work, bound):
    change, clusters = Change(), []

    def kafka(cluster: str) -> Any:
        clusters.append(cluster)
        return nullcontext(FakeOffsets({}))

    submit(at_work, bound, comparison(kafka, change))
    assert (clusters, change.ids) == (["ingest"], {"orders": "id-of-orders"})


@pytest.mark.parametrize("missing", ["orders", "out", "dead"])
def test_a_topic_that_is_not_there_ends_no_run(at_work, bound, missing):
    class Kafka(FakeOffsets):
        def topic_ids(self, topics: Any) -> dict[str, str]:
            return {topic: f"id-of-{topic}" for topic in topics if topic != missing}

    with pytest.raises(JobRefused, match=f"topic `{missing}` is not there, and the run at work was left alone"):
        submit(at_work, bound, comparison(lambda _: nullcontext(Kafka({}))))
    assert (at_work.calls, at_work.living.id, at_work.files.read(STOP)) == ([], "7", None)


@pytest.mark.parametrize("failure", [KafkaUnreachable, KafkaRejected])
def test_a_kafka_that_this_machine_does_not_reach_is_told(at_work, bound, failure):
    """Brokers on Azure are private to their network; who submits need not be in it."""

    def kafka(_cluster: str) -> Any:
        raise failure("no broker answers", where="cluster `ingest` at 10.0.0.4:9092")

    change, told = Change(), Told()
    require_succession(at_work, bound, told, comparison(kafka, change), here=lambda: at_work.spark)
    assert change.ids == {}
    assert told.steps[-1] == (
        "orders: whether its topics were made anew is seen when it starts: "
        "cluster `ingest` at 10.0.0.4:9092: no broker answers"
    )


def test_another_line_of_spark_cannot_tell_and_says_so(at_work, bound):
    compare, told = Comparison(FORBIDDEN), Told()
    at_work.spark = "3.3.1"
    require_succession(at_work, bound, told, compare, here=lambda: "3.5.7")
    assert compare.count == 0
    assert "Spark here is 3.5.7 and there 3.3.1" in told.steps[0]
    with pytest.raises(JobRefused):
        require_succession(at_work, bound, told, compare, here=lambda: "3.3.4")
    assert "that takes seconds" in told.steps[1]


def test_nor_does_a_table_that_only_the_cluster_reads(at_work, tmp_path: Path):
    tables = {"days": {"path": "abfs://data@lake.dfs.core.windows.net/days"}}
    write_pipeline(tmp_path / "far", {**PIPELINE, "tables": tables})
    told = Told()
    bound = bound_job("orders", tmp_path / "far", **BINDING)
    require_succession(at_work, bound, told, Comparison(FORBIDDEN), here=lambda: at_work.spark)
    assert "table `days` cannot be read from here" in told.steps[0]
