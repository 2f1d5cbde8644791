"""Kafka → Spark → Kafka and files, with real parts: counted, stopped, killed, resumed, and refused with a reason."""

from __future__ import annotations

import json
import random
import shutil
import signal
import struct
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import fastavro
import psutil
import pytest
from confluent_kafka import Consumer, Producer, TopicPartition

from hdictl import assets
from hdictl.drivers.kafka.admin import connect
from hdictl.drivers.kafka.records import KafkaRecords, records
from hdictl.drivers.spark.runner import SparkLocal
from hdictl.errors import Locked, SparkFailed
from hdictl.ports.jobs import BatchProgress
from hdictl.ports.kafka import Endpoint, NewTopic, Record
from hdictl.ports.machine import ClusterStatus
from hdictl.ports.progress import Silent
from hdictl.streaming.job import JobSpec
from hdictl.workflow.demo.events import Settings, scenario
from hdictl.workflow.demo.recount import read_output, recount
from hdictl.workflow.demo.run import DemoTopics, run_demo
from tests.acceptance.jobs.tables import rows_in
from tests.acceptance.streamkit.streams import START, view

PATIENCE = 240.0  # of a machine that others use as well
SMALL = Settings(views=3_000, late=60)
PARTITIONS = 3


class Cluster:
    """A `Target` of which only what the demonstration uses is there; and a look at offsets."""

    name = "kafka3"

    def __init__(self, status: ClusterStatus) -> None:
        self._endpoint = Endpoint(status.cluster, status.bootstrap)

    def endpoint(self, _cluster: str) -> Endpoint:
        return self._endpoint

    def records(self, _cluster: str) -> AbstractContextManager[KafkaRecords]:
        return records(self._endpoint)

    def ends(self, topic: str) -> dict[int, int]:
        """Partition → the offset that the next record gets."""
        with self._consumer("ends") as consumer:
            return {each: consumer.get_watermark_offsets(TopicPartition(topic, each))[1] for each in range(PARTITIONS)}

    def position(self, group: str, topic: str) -> dict[int, int]:
        """Partition → where a consumer group stands."""
        with self._consumer(group) as consumer:
            places = [TopicPartition(topic, each) for each in range(PARTITIONS)]
            return {place.partition: place.offset for place in consumer.committed(places, timeout=30)}

    def _consumer(self, group: str) -> Any:
        settings = {"bootstrap.servers": self._endpoint.bootstrap, "broker.address.family": "v4"}
        return closing(Consumer({**settings, "group.id": group, "enable.auto.commit": False}))

    def make(self, *topics: str, **config: str) -> None:
        new = [NewTopic(name, ((1001, 1002, 1003),) * PARTITIONS, config) for name in topics]
        with connect(self._endpoint) as kafka:
            # The brokers forget a topic before ZooKeeper does: for a moment there can be no other of its name.
            _wait_for(lambda: not any(kafka.create_topics(new).values()))
            kafka.settle(dict.fromkeys(topics, PARTITIONS))

    def delete(self, *topics: str) -> None:
        with connect(self._endpoint) as kafka:
            kafka.delete_topics(list(topics))
            kafka.settle(dict.fromkeys(topics, 0))


@pytest.fixture
def cluster(kafka3: ClusterStatus) -> Cluster:
    return Cluster(kafka3)


@pytest.fixture
def topics(cluster: Cluster) -> Iterator[DemoTopics]:
    """Topics of this test alone, so that it counts from zero."""
    prefix = f"jobs-{time.time_ns() % 10**9}"
    made = DemoTopics(cluster.name, f"{prefix}-views", f"{prefix}-activity", f"{prefix}-dead")
    names = (made.views, made.activity, made.dead_letters)
    cluster.make(*names)
    yield made
    cluster.delete(*names)


@pytest.fixture
def job(cluster: Cluster, topics: DemoTopics) -> JobSpec:
    return JobSpec(
        name="page-activity",
        pipeline=assets.pipeline("page_activity"),
        bootstrap=cluster.endpoint("").bootstrap,
        reads={"page_views": topics.views},
        writes={"activity": topics.activity, "dead_letters": topics.dead_letters},
        flows=("page_activity",),
        trigger_ms=200,
        max_offsets_per_trigger=300,
        configuration={"spark.sql.shuffle.partitions": "2"},
        group=f"hdictl-{topics.views}",
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
                assert board(runner, job)["state"] == "running"
                run.kill()
        with runner.start(job, Silent()) as run:
            follow = Follower(run.progress(patience=PATIENCE), topics.views)
            follow.until(lambda: follow.read >= sent)
            sent += stream.write(topics.views, heartbeat.messages)
            follow.until(lambda: follow.watermark >= heartbeat.watermark)
            end = run.stop(patience=PATIENCE)
            assert (end.exit_code, end.is_settled) == (0, True)
        stopped = board(runner, job)
        assert (stopped["state"], set(stopped["queries"])) == (
            "stopped",
            {"page_activity", "page_views_dead_letters"},
        )
        with runner.start(job, Silent()) as run:
            follow = Follower(run.progress(patience=PATIENCE), topics.views)
            sent += stream.write(topics.views, late.messages)
            follow.until(lambda: follow.read >= sent)
            sent += stream.write(topics.views, last.messages)
            follow.until(lambda: follow.watermark >= last.watermark and follow.read >= sent)
            run.stop(patience=PATIENCE)
        found = recount(_all(stream, topics.views), delay=SMALL.delay)
        output = read_output(_all(stream, topics.activity), _all(stream, topics.dead_letters))
    assert found.truth == plot.truth
    assert output.windows == plot.truth.windows
    assert output.contradictions == ()
    assert output.dead == found.dead
    for query in ("page_activity", "page_views_dead_letters"):
        assert cluster.position(f"{job.group}.{query}", topics.views) == cluster.ends(topics.views)


def test_a_checkpoint_is_begun_where_it_is_told_and_only_what_it_belongs_to_goes_on_with_it(
    cluster: Cluster, topics: DemoTopics, job: JobSpec, tmp_path: Path
):
    runner = SparkLocal(tmp_path / "jobs")
    once = replace(job, is_available_now=True, max_offsets_per_trigger=None)
    with cluster.records("") as stream:
        stream.write(topics.views, messages(range(100)))
        ends = cluster.ends(topics.views)
        begin = {each: end // 2 for each, end in ends.items()}
        told = runner.files(job).storage / "_control" / "starting_offsets.json"
        told.parent.mkdir(parents=True)
        told.write_text(json.dumps({"page_views": {topics.views: {str(each): at for each, at in begin.items()}}}))
        batches = ran(runner, once)
        for is_output in (True, False):
            rows = sum(batch.input_rows for batch in batches if batch.is_output == is_output)
            assert rows == sum(ends.values()) - sum(begin.values())
        assert cluster.position(f"{job.group}.page_activity", topics.views) == ends

        before = left_behind(cluster, runner, job, topics)
        query = edited(job, tmp_path / "query", "page_activity.sql", "GROUP BY page,", "GROUP BY page, user_id,")
        said = refused(runner, replace(once, pipeline=query))
        assert "stateful operators differ: state is kept by operator and key" in said
        other = edited(job, tmp_path / "name", "pipeline.yaml", "name: page_activity", "name: my_activity")
        said = refused(runner, replace(once, pipeline=other))
        assert "belongs to page_activity/page_activity, and this is my_activity/page_activity" in said

        cluster.delete(topics.views)
        cluster.make(topics.views)
        stream.write(
            topics.views, messages(range(200, 500))
        )  # beyond the old offsets: Spark alone would notice nothing
        said = refused(runner, once)
        assert f"topic `{topics.views}` was deleted and made anew" in said
        assert "the checkpoint's offsets are those of the old one" in said
        assert left_behind(cluster, runner, job, topics) == before
    state = board(runner, job)
    assert state["state"] == "failed"
    assert "reading on would skip records without a word" in state["error"]["what"]
    assert "hdictl jobs checkpoint reset" in state["error"]["fix"]


def sales_job(cluster: Cluster, topics: DemoTopics) -> JobSpec:
    return JobSpec(
        name="sales",
        pipeline=assets.pipeline("sales_enrich"),
        bootstrap=cluster.endpoint("").bootstrap,
        reads={"sales": topics.views},
        writes={"dead_letters": topics.dead_letters},
        flows=("enriched",),
        trigger_ms=100,
        max_offsets_per_trigger=100,
        configuration={"spark.sql.shuffle.partitions": "1"},
    )


def test_files_are_written_exactly_once_over_a_crash(cluster: Cluster, topics: DemoTopics, tmp_path: Path):
    job = sales_job(cluster, topics)
    runner = SparkLocal(tmp_path)
    storage = runner.files(job).storage
    with cluster.records("") as stream:
        # One that claims to be two gigabytes long would end the job, again and again, if nobody had set a limit.
        stream.write(topics.views, [(None, b"\x00\x00\x00\x00\x02\xfe\xff\xff\xff\x0fx")])
        stream.send(topics.views, [Record(-1, -1, -1, None, b"rubbish", (("trace", b"7"), ("empty", None)))])
        stream.write(topics.views, ((str(number).encode(), sale(number)) for number in range(600)))
        with runner.start(job, Silent()) as run:
            outputs = (each for each in run.progress(patience=PATIENCE) if each.is_output and each.input_rows)
            for _number in range(2):
                next(outputs)
            run.kill()
        forget_the_last_commit(storage / "checkpoints" / "enriched")
        ran(runner, replace(job, is_available_now=True))
        dead = list(_all(stream, topics.dead_letters))
        letters = [dict(record.headers)["error"] for record in dead]
        # The headers that a record had come first, as they were.
        assert {record.headers[:2] for record in dead if record.value == b"rubbish"} == {
            (("trace", b"7"), ("empty", None))
        }
    rows = rows_in(storage / "tables" / "enriched", "parquet", tmp_path, "sale_id", "product", "day")
    assert sorted(int(sale_id) for sale_id, _product, _day in rows) == list(range(600))
    assert {(product, day) for _sale_id, product, day in rows} == {("Blue Train", "2026-01-01")}
    assert sorted(set(letters)) == [b"bad_header", b"malformed"]


def test_a_terminal_shows_what_comes(cluster: Cluster, topics: DemoTopics, tmp_path: Path):
    job = replace(sales_job(cluster, topics), is_available_now=True)
    files = "format: parquet                    # exactly once\n    partition_by: [day]"
    job = replace(job, pipeline=edited(job, tmp_path / "sales_enrich", "pipeline.yaml", files, "format: console"))
    runner = SparkLocal(tmp_path)
    with cluster.records("") as stream:
        stream.write(topics.views, [(b"1", sale(1))])
        ran(runner, job)
    assert "Blue Train" in runner.files(job).log.read_text()


def test_a_bad_record_that_is_too_large_for_its_topic_becomes_a_letter_and_stops_nothing(
    cluster: Cluster, topics: DemoTopics, job: JobSpec, tmp_path: Path
):
    """Compressed, Kafka takes more than the topic's limit; and what is just below it is above it as a letter."""
    limit = 300_000
    small = f"{topics.dead_letters}-small"
    cluster.make(small, **{"max.message.bytes": str(limit)})
    noise = random.Random(7).randbytes(limit - 100)
    large = {"compressed": b"{" + b"x" * 3_000_000, "noise": noise}
    settings = {"bootstrap.servers": job.bootstrap, "broker.address.family": "v4", "message.max.bytes": 8_000_000}
    producer = Producer({**settings, "compression.type": "lz4"})
    for key, value in large.items():
        producer.produce(topics.views, value, key.encode())
    assert producer.flush(PATIENCE) == 0
    with cluster.records("") as stream:
        stream.write(topics.views, [*messages(range(20)), (b"small", b"rubbish")])
        writes = {**job.writes, "dead_letters": small}
        batches = ran(SparkLocal(tmp_path), replace(job, writes=writes, is_available_now=True))
        letters = {(record.key or b"").decode(): record for record in _all(stream, small)}
    cluster.delete(small)
    assert sum(batch.input_rows for batch in batches if not batch.is_output) == 23
    assert set(letters) == {"compressed", "noise", "small"}
    for key, value in large.items():
        letter = letters[key]
        assert letter.value is not None
        assert len(letter.value) > limit * 0.9
        assert value.startswith(letter.value)
        assert dict(letter.headers)["truncated"] == str(len(value)).encode()
    assert letters["small"].value == b"rubbish"
    assert "truncated" not in dict(letters["small"].headers)


def forget_the_last_commit(checkpoint: Path) -> None:
    """As if it had died a moment earlier: the batch is in the files, and Spark does not know that it was done."""
    offsets, commits = (
        sorted((file for file in (checkpoint / part).iterdir() if file.name.isdigit()), key=lambda file: int(file.name))
        for part in ("offsets", "commits")
    )
    if offsets[-1].name == commits[-1].name:
        commits[-1].unlink()
        commits[-1].with_name(f".{commits[-1].name}.crc").unlink(missing_ok=True)


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
    runner = SparkLocal(tmp_path)
    with runner.start(absent, Silent()) as run, pytest.raises(SparkFailed) as failure:
        list(run.progress(patience=PATIENCE))
    assert "there is no topic `no-such-topic` at " in failure.value.what
    assert "hdictl apply" in (failure.value.fix or "")
    assert str(run.log) in (failure.value.fix or "")
    assert "\tat " not in str(failure.value)
    state = board(runner, absent)
    assert state["state"] == "failed"
    assert state["error"]["what"].startswith("there is no topic `no-such-topic` at ")


def test_a_setting_that_spark_does_not_take_is_told(job: JobSpec, tmp_path: Path):
    """In one sentence, also where it is found only when the first query is made."""
    runner = SparkLocal(tmp_path)
    wrong = replace(job, configuration={"spark.sql.shuffle.partitions": "many"})
    with runner.start(wrong, Silent()) as run, pytest.raises(SparkFailed) as failure:
        list(run.progress(patience=PATIENCE))
    assert "spark.sql.shuffle.partitions" in failure.value.what
    assert "Traceback" not in str(failure.value)
    assert board(runner, wrong)["state"] == "failed"


def test_ctrl_c_ends_the_job_with_its_parent(job: JobSpec, tmp_path: Path):
    script = textwrap.dedent(f"""
        from pathlib import Path
        from hdictl import interrupt
        from hdictl.drivers.spark.runner import SparkLocal
        from hdictl.streaming.job import JobSpec
        from hdictl.ports.progress import Silent
        interrupt.listen()
        job = JobSpec(
            {job.name!r}, Path({str(job.pipeline)!r}), {job.bootstrap!r}, {job.reads!r}, {job.writes!r}, {job.flows!r}
        )
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


def sale(number: int) -> bytes:
    schema = fastavro.parse_schema(json.loads((assets.pipeline("sales_enrich") / "schemas" / "sale.avsc").read_text()))
    content = BytesIO()
    value = {"sale_id": str(number), "sold_at": START, "product_id": "p-1", "store_id": "s", "quantity": 1}
    fastavro.schemaless_writer(content, schema, {**value, "unit_price_cents": 100, "channel": "web"})
    return b"\x00" + struct.pack(">I", 2) + content.getvalue()


def messages(numbers: range) -> list[tuple[bytes, bytes]]:
    return [(str(number).encode(), json.dumps(view(str(number), 1)).encode()) for number in numbers]


def edited(job: JobSpec, folder: Path, file: str, old: str, new: str) -> Path:
    shutil.copytree(job.pipeline, folder)
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new))
    return folder


def ran(runner: SparkLocal, job: JobSpec) -> list[BatchProgress]:
    """All batches of a job that reads what there is, and ends."""
    with runner.start(job, Silent()) as run:
        return list(run.progress(patience=PATIENCE))


def refused(runner: SparkLocal, job: JobSpec) -> str:
    with pytest.raises(SparkFailed) as failure:
        ran(runner, job)
    assert "hdictl jobs checkpoint reset" in (failure.value.fix or "")
    assert "\tat " not in str(failure.value)
    return failure.value.what


def left_behind(cluster: Cluster, runner: SparkLocal, job: JobSpec, topics: DemoTopics) -> object:
    """What a job that has read nothing does not change."""
    checkpoints = runner.files(job).storage / "checkpoints"
    files = sorted(str(file.relative_to(checkpoints)) for file in checkpoints.rglob("*") if file.is_file())
    return files, cluster.ends(topics.activity), cluster.ends(topics.dead_letters)


def board(runner: SparkLocal, job: JobSpec) -> dict[str, Any]:
    file = runner.files(job).storage / "_progress" / "state.json"
    _wait_for(file.exists)  # for a moment, between the old one and the new one, there is none
    state: dict[str, Any] = json.loads(file.read_text())
    assert (state["job"], state["pipeline"]) == (job.name, "page_activity")
    return state
