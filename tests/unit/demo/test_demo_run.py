"""The demonstration over a stream and a job that live in memory: what is awaited, what is refused, what is compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from hdictl.errors import SparkFailed, UsageError
from hdictl.ports.jobs import BatchProgress, JobEnd
from hdictl.ports.kafka import Endpoint, Record
from hdictl.ports.progress import Silent
from hdictl.streaming.job import JobSpec
from hdictl.workflow.demo.events import Settings
from hdictl.workflow.demo.recount import recount
from hdictl.workflow.demo.run import DemoTopics, run_demo
from hdictl.workflow.demo.stage import described

TOPICS = DemoTopics("ingest")
SMALL = Settings(views=300, late=16)
COUNTED = ("valid", "dead", "tombstones", "late", "duplicates")
IDLE = BatchProgress(
    query="page_activity",
    is_output=True,
    batch=0,
    input_rows=0,
    output_rows=0,
    valid=0,
    dead=0,
    tombstones=0,
    late=0,
    duplicates=0,
    state_rows=0,
    watermark=0,
    end_offsets={},
    duration_ms=10,
)


class MemoryStream:
    def __init__(self) -> None:
        self.topics: dict[str, list[Record]] = {}
        self.clock = 1_794_000_000_000

    def read(self, topic: str, *, from_beginning: bool, limit: int | None, follow: bool) -> Iterator[Record]:
        return iter(self.topics.get(topic, [])[:limit])

    def write(self, topic: str, records: Iterable[tuple[bytes | None, bytes | None]]) -> int:
        held = self.topics.setdefault(topic, [])
        before = len(held)
        for key, value in records:
            self.clock += 1
            held.append(Record(0, len(held), self.clock, key, value))
        return len(held) - before


class HonestJob:
    """Counts right, and says so as Spark does: one batch for all there is, one more when the watermark moves."""

    log = Path("spark.log")
    lost_windows = 0
    ends_early = False

    def __init__(self, stream: MemoryStream, settings: Settings) -> None:
        self.stream = stream
        self.settings = settings
        self.is_stopped = False

    def __enter__(self) -> HonestJob:
        return self

    def __exit__(self, *_reason: object) -> None: ...

    def progress(self, *, patience: float) -> Iterator[BatchProgress]:
        number, read, before = 0, 0, None
        while not self.ends_early:
            records = list(self.stream.topics[TOPICS.views])
            found = recount(records, delay=self.settings.delay)
            amounts = _amounts(found.truth, before)
            newest = _newest(records, found.dead)
            yield self._batch(number, len(records) - read, amounts, len(records), watermark=0)
            yield self._dead(number, amounts["dead"], len(records))
            yield self._batch(number + 1, 0, {}, len(records), watermark=newest - self.settings.delay)
            number, read, before = number + 2, len(records), found.truth

    def stop(self, *, patience: float) -> JobEnd:
        self.is_stopped = True
        found = recount(self.stream.topics[TOPICS.views], delay=self.settings.delay)
        rows = list(found.truth.windows.items())[self.lost_windows :]
        for (page, start), (views, visitors) in rows:
            value = f'{{"page":"{page}","window_start":{start},"views":{views},"visitors":{visitors}}}'.encode()
            self._put(TOPICS.activity, value, {"event_id": f"{page}|{start}"})
        for partition, offset in found.dead:
            self._put(TOPICS.dead_letters, b"", {"partition": str(partition), "offset": str(offset)})
        return JobEnd(0, is_settled=True, batches=(self._batch(999, 0, {"out": len(rows)}, 0, watermark=0),))

    def wait(self) -> JobEnd:
        raise AssertionError("nobody waits for a stream to end")

    def kill(self) -> None: ...

    def _put(self, topic: str, value: bytes, headers: dict[str, str]) -> None:
        held = self.stream.topics.setdefault(topic, [])
        held.append(
            Record(0, len(held), 0, None, value, tuple((name, text.encode()) for name, text in headers.items()))
        )

    def _batch(self, number: int, rows: int, amounts: dict[str, int], end: int, *, watermark: int) -> BatchProgress:
        return replace(
            IDLE,
            batch=number,
            input_rows=rows,
            output_rows=amounts.get("out", 0),
            watermark=watermark,
            end_offsets={TOPICS.views: {0: end}},
            **{name: amounts.get(name, 0) for name in COUNTED},
        )

    def _dead(self, number: int, out: int, end: int) -> BatchProgress:
        offsets = {TOPICS.views: {0: end}}
        return replace(IDLE, query="dead", is_output=False, batch=number, output_rows=out, end_offsets=offsets)


def _amounts(truth, before) -> dict[str, int]:
    return {name: getattr(truth, name) - (getattr(before, name) if before else 0) for name in COUNTED}


def _newest(records: list[Record], dead: set[tuple[int, int]]) -> int:
    import json

    good = [each for each in records if each.value and (each.partition, each.offset) not in dead]
    return max(json.loads(each.value)["event_time"] for each in good)


class MemoryTarget:
    name = "memory"

    def __init__(self, stream: MemoryStream) -> None:
        self.stream = stream

    def endpoint(self, cluster: str) -> Endpoint:
        return Endpoint(cluster, "nowhere:9092")

    def records(self, cluster: str) -> AbstractContextManager[MemoryStream]:
        return nullcontext(self.stream)


class Runner:
    def __init__(self, job: HonestJob) -> None:
        self.job = job
        self.started: list[JobSpec] = []
        self.forgotten: JobSpec | None = None

    def forget(self, job: JobSpec) -> None:
        self.forgotten = job

    def start(self, job: JobSpec, progress: object) -> HonestJob:
        assert self.forgotten == job
        self.started.append(job)
        return self.job


def play(job: HonestJob):
    runner = Runner(job)
    return runner, run_demo(MemoryTarget(job.stream), runner, Silent(), topics=TOPICS, settings=SMALL)


def test_counts_that_are_right_agree():
    job = HonestJob(MemoryStream(), SMALL)
    runner, report = play(job)
    assert [row.what for row in report.rows if not row.agrees] == []
    assert report.agrees
    assert job.is_stopped
    assert sum(page.views for page in report.pages) == 300
    assert report.pages[0].views == max(page.views for page in report.pages)
    assert runner.started[0].reads == {"page_views": "page-views"}


def test_a_window_that_is_missing_is_seen_in_every_way_it_can_be():
    job = HonestJob(MemoryStream(), SMALL)
    job.lost_windows = 1
    _runner, report = play(job)
    assert not report.agrees
    assert [row.what.strip() for row in report.rows if not row.agrees] == [
        "views counted",
        "windows out",
        "identical views and visitors",
    ]


def test_topics_that_are_not_empty_are_refused_before_anything_starts():
    stream = MemoryStream()
    stream.write(TOPICS.activity, [(None, b"old")])
    runner = Runner(HonestJob(stream, SMALL))
    with pytest.raises(UsageError, match="`page-activity` has records already"):
        run_demo(MemoryTarget(stream), runner, Silent(), topics=TOPICS, settings=SMALL)
    assert runner.started == []


def test_a_job_that_somebody_stopped_is_a_failure():
    job = HonestJob(MemoryStream(), SMALL)
    job.ends_early = True
    with pytest.raises(SparkFailed, match="still something to read"):
        play(job)


def test_a_batch_in_words():
    batch = replace(IDLE, batch=3, input_rows=5000, output_rows=96, dead=50, late=40, duplicates=7, duration_ms=2000)
    assert described(replace(batch, watermark=1_767_226_200_000)) == (
        "batch 3: 5,000 in · 2,500 records/s · 50 dead letters · 7 duplicates · 40 late · 96 windows out"
        " · watermark 00:10"
    )
    assert described(IDLE) == "batch 0: 0 in"
