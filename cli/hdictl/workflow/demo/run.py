"""Produce the events wave by wave, let the job count them, and count them again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from hdictl import assets
from hdictl.errors import UsageError
from hdictl.plan.demo_report import DemoReport
from hdictl.ports.jobs import JobRun, JobRunner
from hdictl.ports.kafka import Record, RecordStream
from hdictl.ports.progress import Progress
from hdictl.ports.target import Target
from hdictl.streaming.job import JobSpec
from hdictl.workflow.demo.events import Settings, Wave, scenario
from hdictl.workflow.demo.ledger import Ledger
from hdictl.workflow.demo.reconcile import page_totals, reconcile
from hdictl.workflow.demo.recount import read_output, recount
from hdictl.workflow.demo.stage import Stage

PATIENCE_SECONDS = 120.0  # between two signs of life of the job
STOP_PATIENCE_SECONDS = 90.0


@dataclass(frozen=True)
class DemoTopics:
    cluster: str
    views: str = "page-views"
    activity: str = "page-activity"
    dead_letters: str = "page-views-dead"


def demo_job(target: Target, topics: DemoTopics) -> JobSpec:
    return JobSpec(
        name="page-activity",
        pipeline=assets.pipeline("page_activity"),
        bootstrap=target.endpoint(topics.cluster).bootstrap,
        reads={"page_views": topics.views},
        writes={"activity": topics.activity, "dead_letters": topics.dead_letters},
        flows=("page_activity",),  # one of several: the others count other things
        trigger_ms=200,
        max_offsets_per_trigger=10_000,  # small enough that the stream is seen as one
        configuration={"spark.sql.shuffle.partitions": "2"},  # a laptop's cores, not a cluster's
    )


def run_demo(
    target: Target,
    runner: JobRunner,
    progress: Progress,
    *,
    topics: DemoTopics,
    settings: Settings = Settings(),  # noqa: B008 (frozen)
) -> DemoReport:
    """The cluster is up and has the topics, empty. What the job leaves behind is in the runner's folder."""
    plot = scenario(settings)
    with target.records(topics.cluster) as stream:
        _require_empty(stream, topics)
        begun = time.monotonic()
        spec = demo_job(target, topics)
        runner.forget(spec)  # an earlier demo's checkpoint speaks of topics that are gone
        progress.step("starting Spark")
        with runner.start(spec, progress) as job:
            ledger = _play(plot.waves, Stage(stream, topics.views, job.progress(patience=PATIENCE_SECONDS), progress))
            progress.step("asking the job to stop between two micro-batches")
            _stop(job, ledger)
        seconds = time.monotonic() - begun
        runner.forget(spec)
        progress.step("counting again, without Spark")
        found = recount(_all(stream, topics.views), delay=settings.delay)
        output = read_output(_all(stream, topics.activity), _all(stream, topics.dead_letters))
    return DemoReport(
        rows=reconcile(plot.truth, ledger, found, output),
        pages=page_totals(output),
        batches=ledger.batches,
        copies=output.window_copies + output.dead_copies,
        seconds=seconds,
        records_per_second=ledger.records_per_second,
        log=job.log,
    )


def _play(waves: tuple[Wave, ...], stage: Stage) -> Ledger:
    for wave in waves:
        stage.play(wave)
    return stage.ledger


def _stop(job: JobRun, ledger: Ledger) -> None:
    for batch in job.stop(patience=STOP_PATIENCE_SECONDS).batches:
        ledger.add(batch)


def _require_empty(stream: RecordStream, topics: DemoTopics) -> None:
    for topic in (topics.views, topics.activity, topics.dead_letters):
        if any(True for _record in _all(stream, topic, limit=1)):
            raise UsageError(
                f"topic `{topic}` has records already, and the demo counts from zero",
                where="demo",
                fix="take the demo's cluster down (`hdictl down`) and run the demo again",
            )


def _all(stream: RecordStream, topic: str, limit: int | None = None) -> Iterator[Record]:
    return stream.read(topic, from_beginning=True, limit=limit, follow=False)
