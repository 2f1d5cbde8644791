"""Kafka → Spark → Kafka with real parts: counted, stopped, killed, resumed, and failing with a reason."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from hdictl import assets
from hdictl.drivers.kafka.admin import connect
from hdictl.drivers.kafka.records import KafkaRecords, records
from hdictl.drivers.spark.runner import SparkLocal
from hdictl.errors import Locked, SparkFailed
from hdictl.ports.jobs import BatchProgress, JobSpec
from hdictl.ports.kafka import Endpoint, NewTopic
from hdictl.ports.machine import ClusterStatus
from hdictl.ports.progress import Silent
from hdictl.workflow.demo.events import Settings, scenario
from hdictl.workflow.demo.recount import read_output, recount
from hdictl.workflow.demo.run import DemoTopics, run_demo

PATIENCE = 240.0  # of a machine that others use as well
SMALL = Settings(views=3_000, late=60)


class Cluster:
    """A `Target` of which only what the demonstration uses is there."""

    name = "kafka3"

    def __init__(self, status: ClusterStatus) -> None:
        self._endpoint = Endpoint(status.cluster, status.bootstrap)

    def endpoint(self, _cluster: str) -> Endpoint:
        return self._endpoint

    def records(self, _cluster: str) -> AbstractContextManager[KafkaRecords]:
        return records(self._endpoint)


@pytest.fixture
def cluster(kafka3: ClusterStatus) -> Cluster:
    return Cluster(kafka3)


@pytest.fixture
def topics(kafka3: ClusterStatus, request: pytest.FixtureRequest) -> Iterator[DemoTopics]:
    """Topics of this test alone, so that it counts from zero."""
    prefix = f"{request.node.name[:40]}-{time.time_ns() % 10**9}"
    made = DemoTopics(kafka3.cluster, f"{prefix}-views", f"{prefix}-activity", f"{prefix}-dead")
    names = [made.views, made.activity, made.dead_letters]
    with connect(Endpoint(kafka3.cluster, kafka3.bootstrap)) as kafka:
        kafka.create_topics([NewTopic(name, ((1001, 1002, 1003),) * 3, {}) for name in names])
        kafka.settle(dict.fromkeys(names, 3))
        yield made
        kafka.delete_topics(names)
        kafka.settle(dict.fromkeys(names, 0))


@pytest.fixture
def job(cluster: Cluster, topics: DemoTopics) -> JobSpec:
    return JobSpec(
        name="page-activity",
        pipeline=assets.pipeline("page_activity"),
        bootstrap=cluster.endpoint("").bootstrap,
        reads={"page_views": topics.views},
        writes={"activity": topics.activity, "dead_letters": topics.dead_letters},
        trigger_ms=200,
        max_offsets_per_trigger=300,
        configuration={"spark.sql.shuffle.partitions": "2"},
    )


def test_the_demonstration_agrees(cluster: Cluster, topics: DemoTopics, tmp_path: Path):
    report = run_demo(cluster, SparkLocal(tmp_path), Silent(), topics=topics, settings=SMALL)
    assert [row for row in report.rows if not row.agrees] == []
    assert report.copies == 0
    assert report.rows[0].spark == scenario(SMALL).truth.produced


@pytest.mark.slow
def test_killed_and_resumed_it_loses_nothing_and_copies_are_recognised(
    cluster: Cluster, topics: DemoTopics, job: JobSpec, tmp_path: Path
):
    """Two crashes in the middle of the work, a graceful stop, and another resumption, on one checkpoint."""
    runner = SparkLocal(tmp_path, prepares=True)
    plot = scenario(SMALL)
    *on_time, heartbeat, late, last = plot.waves
    with cluster.records("") as stream:
        sent = sum(stream.write(topics.views, wave.messages) for wave in on_time)
        for batches in (2, 3):
            with runner.start(job, Silent()) as run:
                outputs = (each for each in run.progress(patience=PATIENCE) if each.is_output and each.input_rows)
                for _number in range(batches):
                    next(outputs)
                run.kill()
        with runner.start(job, Silent()) as run:
            follow = Follower(run.progress(patience=PATIENCE), topics.views)
            follow.until(lambda: follow.read >= sent)
            sent += stream.write(topics.views, heartbeat.messages)
            follow.until(lambda: follow.watermark >= heartbeat.watermark)
            end = run.stop(patience=PATIENCE)
            assert (end.exit_code, end.is_settled) == (0, True)
        with runner.start(job, Silent()) as run:
            follow = Follower(run.progress(patience=PATIENCE), topics.views)
            sent += stream.write(topics.views, late.messages)
            follow.until(lambda: follow.read >= sent)
            stream.write(topics.views, last.messages)
            follow.until(lambda: follow.watermark >= last.watermark)
            run.stop(patience=PATIENCE)
        found = recount(_all(stream, topics.views), delay=SMALL.delay)
        output = read_output(_all(stream, topics.activity), _all(stream, topics.dead_letters))
    assert found.truth == plot.truth
    assert output.windows == plot.truth.windows
    assert output.contradictions == ()
    assert output.dead == found.dead


def test_a_second_run_of_a_job_is_refused(job: JobSpec, tmp_path: Path):
    runner = SparkLocal(tmp_path)
    with runner.start(job, Silent()) as run:
        with pytest.raises(Locked, match="page-activity"):
            runner.start(job, Silent())
        pid = run.pid
    assert not _family(pid)
    with runner.start(job, Silent()) as again:
        again.kill()


def test_a_topic_that_is_not_there_is_named(job: JobSpec, tmp_path: Path):
    absent = replace(job, reads={"page_views": "no-such-topic"})
    with SparkLocal(tmp_path).start(absent, Silent()) as run, pytest.raises(SparkFailed) as failure:
        list(run.progress(patience=PATIENCE))
    assert "no-such-topic" in failure.value.what or "UnknownTopicOrPartition" in failure.value.what
    assert str(run.log) in (failure.value.fix or "")
    assert "\tat " not in str(failure.value)


def test_ctrl_c_ends_the_job_with_its_parent(job: JobSpec, tmp_path: Path):
    script = textwrap.dedent(f"""
        from pathlib import Path
        from hdictl import interrupt
        from hdictl.drivers.spark.runner import SparkLocal
        from hdictl.ports.jobs import JobSpec
        from hdictl.ports.progress import Silent
        interrupt.listen()
        job = JobSpec({job.name!r}, Path({str(job.pipeline)!r}), {job.bootstrap!r}, {job.reads!r}, {job.writes!r})
        with SparkLocal(Path({str(tmp_path)!r})).start(job, Silent()) as run:
            print(run.pid, flush=True)
            list(run.progress(patience={PATIENCE}))
    """)
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    _wait_for(lambda: len(_family(child)) > 1)  # the JVM has started its Python
    family = _family(child)
    parent.send_signal(signal.SIGINT)
    parent.wait(300)
    assert parent.returncode != 0
    _wait_for(lambda: not any(process.is_running() for process in family))


class Follower:
    """Where the job's own output stands."""

    def __init__(self, batches: Iterator[BatchProgress], topic: str) -> None:
        self._batches = batches
        self._topic = topic
        self._ends = {True: 0, False: 0}
        self.watermark = 0

    @property
    def read(self) -> int:
        return min(self._ends.values())

    def until(self, is_reached: Callable[[], bool]) -> None:
        while not is_reached():
            batch = next(self._batches)
            self._ends[batch.is_output] = sum(batch.end_offsets.get(self._topic, {}).values())
            self.watermark = max(self.watermark, batch.watermark)


def _all(stream: KafkaRecords, topic: str):
    return stream.read(topic, from_beginning=True, limit=None, follow=False)


def _family(pid: int) -> list[psutil.Process]:
    """The process and all below it that live."""
    try:
        process = psutil.Process(pid)
        members = [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []
    return [member for member in members if member.status() != psutil.STATUS_ZOMBIE]


def _wait_for(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.1)
