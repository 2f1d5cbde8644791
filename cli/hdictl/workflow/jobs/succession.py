"""A job at work is stopped only for one that can go on from its checkpoints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager

from hdictl.drivers.spark.command import spark_version
from hdictl.errors import JarsUnavailable, JavaMissing, JobRefused, KafkaRejected, KafkaUnreachable
from hdictl.ports.job_driver import JobDriver
from hdictl.ports.offsets import OffsetReader
from hdictl.ports.progress import Progress
from hdictl.streaming.change import IN_PLACE, NEW, PipelineChange, QueryChange
from hdictl.workflow.jobs.bound import BoundJob
from hdictl.workflow.jobs.change import Notes, TopicIds, job_change, notes_of

Compare = Callable[[JobDriver, BoundJob, Notes, Progress], PipelineChange]
Change = Callable[[JobDriver, BoundJob, Notes, TopicIds, Progress], PipelineChange]
Kafka = Callable[[str], AbstractContextManager[OffsetReader]]  # a Kafka cluster of the stack


def comparison(kafka: Kafka, change: Change = job_change) -> Compare:
    """Kafka is asked for the ids of topics where this machine reaches it; on Azure it need not."""

    def compare(driver: JobDriver, bound: BoundJob, notes: Notes, progress: Progress) -> PipelineChange:
        def topic_ids(topics: Sequence[str]) -> Mapping[str, str]:
            try:
                with kafka(bound.kafka) as reader:
                    known = reader.topic_ids(topics)
            except (KafkaUnreachable, KafkaRejected) as error:
                doubt = f"{error.where or 'kafka'}: {error.what}"
                progress.step(f"{bound.name}: whether its topics were made anew is seen when it starts: {doubt}")
                return {}
            _require_topics(bound, [topic for topic in topics if topic not in known])
            return known

        return change(driver, bound, notes, topic_ids, progress)

    return compare


def require_succession(
    driver: JobDriver, bound: BoundJob, progress: Progress, compare: Compare, here: Callable[[], str] = spark_version
) -> None:
    """Where it cannot be told from here, the new run itself still looks before it starts a query."""
    notes = notes_of(driver, bound.name)
    if not notes:
        return  # nothing is at stake yet
    doubt = _doubt(driver, bound, here())
    if doubt is not None:
        progress.step(f"{bound.name}: not compared with its checkpoints before it is stopped: {doubt}")
        return
    progress.step(f"{bound.name}: comparing with its checkpoints, by the Spark of this machine; that takes seconds")
    try:
        change = compare(driver, bound, notes, progress)
    except (JavaMissing, JarsUnavailable) as error:
        progress.step(f"{bound.name}: not compared with its checkpoints before it is stopped: {error.what}")
        return
    unfit = [query for query in change.queries if query.verdict not in (NEW, IN_PLACE)]
    if unfit:
        raise JobRefused(
            f"it cannot go on from its checkpoints, and the run at work was left alone: {'; '.join(map(_said, unfit))}",
            where=f"job `{bound.name}`",
            fix=f"see hdictl pipeline plan {bound.job.pipeline}; to begin anew, stop it, and then: "
            f"hdictl jobs checkpoint reset {bound.name} --to committed",
        )


def _require_topics(bound: BoundJob, missing: Sequence[str]) -> None:
    if missing:
        raise JobRefused(
            f"topic `{missing[0]}` is not there, and the run at work was left alone",
            where=f"job `{bound.name}`",
            fix="create it: hdictl apply",
        )


def _doubt(driver: JobDriver, bound: BoundJob, here: str) -> str | None:
    """Why the Spark of this machine cannot tell."""
    if _line(here) != _line(driver.spark):
        return f"Spark here is {here} and there {driver.spark}, whose state is another"
    far = [name for name, table in bound.pipeline.document.tables.items() if _is_far(table.path)]
    return f"table `{far[0]}` cannot be read from here" if far else None


def _is_far(path: str) -> bool:
    return "://" in path and not path.startswith("file:")


def _line(version: str) -> list[str]:
    return version.split(".")[:2]


def _said(change: QueryChange) -> str:
    """In one line: what differs in detail is for `pipeline plan` to show."""
    worst = [each for each in change.differences if each.verdict not in (NEW, IN_PLACE)]
    reasons = [f"{each.what.splitlines()[0].rstrip(':')} ({each.why})" for each in worst]
    return f"query `{change.query}`: {', '.join(reasons)}"
