"""A job of the stack as a pipeline bound to topics of a living cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hdictl.drivers.pipeline_folders import find_pipeline
from hdictl.errors import JobRefused, JobUnknown
from hdictl.ports.target import Target
from hdictl.stack.model import Job, Stack
from hdictl.stack.suggest import did_you_mean
from hdictl.stack.topics import TopicSpec, resolved_topics
from hdictl.streaming.job import JobSpec
from hdictl.streaming.pipeline import Pipeline, load


@dataclass(frozen=True)
class BoundJob:
    name: str
    job: Job
    pipeline: Pipeline
    kafka: str  # the stack's Kafka cluster
    spec: JobSpec


def chosen_jobs(stack: Stack, names: Sequence[str] | None, strays: Sequence[str] = ()) -> list[str]:
    """Those that are named, or all of the stack. `strays`: those that may be named and are not in it any more."""
    for name in names or ():
        if name not in stack.jobs and name not in strays:
            raise JobUnknown(
                f"there is no job `{name}`{did_you_mean(name, stack.jobs)}",
                where=f"stack `{stack.stack}`",
                fix=f"it is one of {', '.join(stack.jobs)}" if stack.jobs else "add one under `jobs`",
            )
    return list(names or stack.jobs)


def job_of(stack: Stack, pipeline: str, name: str | None) -> str:
    """The job that is named, or the only one that runs this pipeline."""
    if name is not None:
        return chosen_jobs(stack, [name])[0]
    runs = [key for key, job in stack.jobs.items() if job.pipeline == Path(pipeline).name]
    if len(runs) != 1:
        raise JobUnknown(
            f"{'several jobs run' if runs else 'no job runs'} the pipeline `{pipeline}`",
            where=f"stack `{stack.stack}`",
            fix=f"name one: --job {' or --job '.join(runs)}" if runs else "add one under `jobs`, with its topics",
        )
    return runs[0]


def bind(stack: Stack, name: str, target: Target, beside: Path) -> BoundJob:
    job = stack.jobs[name]
    topics = {spec.key: spec for spec in resolved_topics(stack)}
    kafka = _cluster(name, [topics[key] for key in (*job.reads.values(), *job.writes.values()) if key in topics])
    pipeline = load(find_pipeline(job.pipeline, beside))
    spec = JobSpec(
        name=name,
        pipeline=pipeline.folder,
        bootstrap=target.endpoint(kafka).bootstrap,
        reads={source: topics[key].name for source, key in job.reads.items()},
        writes={sink: topics[key].name if key in topics else key for sink, key in job.writes.items()},
        flows=tuple(job.flows),
        trigger_ms=job.trigger,
        max_offsets_per_trigger=job.max_offsets_per_trigger,
        starting_offsets=dict(job.starting_offsets),
        parameters=job.parameters,
        configuration={key: _text(value) for key, value in job.configuration.items()},
        group=f"{stack.stack}.{name}",
    )
    return BoundJob(name, job, pipeline, kafka, spec)


def _cluster(name: str, topics: Sequence[TopicSpec]) -> str:
    clusters = list(dict.fromkeys(topic.cluster for topic in topics))
    if len(clusters) != 1:
        what = f"its topics are on {', '.join(clusters)}" if clusters else "it names no topic"
        raise JobRefused(
            f"{what}, and a job reads and writes one Kafka cluster",
            where=f"job `{name}`",
            fix="mirror the topics to one cluster" if clusters else "bind its sources under `reads`",
        )
    return clusters[0]


def _text(value: bool | int | float | str) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
