"""J, and T014: jobs, their clusters and their topics."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hdictl.stack.check.context import Context, is_known
from hdictl.stack.check.registry import ERROR, WARNING, Problem, rule
from hdictl.stack.model import Job
from hdictl.stack.shown import shown
from hdictl.stack.suggest import did_you_mean, one_of

_PIPELINE = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,99}\Z")
_HDICTL = "hdictl"


@rule(
    "T014",
    ERROR,
    "Topics that jobs read and write are declared",
    why="auto.create.topics.enable is off on HDInsight: a job on a missing topic fails, or waits for ever.",
    fix="Declare the topic, or mend the name.",
    source=_HDICTL,
)
def declared(context: Context) -> Iterator[Problem]:
    known = {topic.key for topic in context.topics}
    for key, job in context.stack.jobs.items():
        for field, bound in (("reads", job.reads), ("writes", job.writes)):
            for port, topic in bound.items():
                is_topic = field == "reads" or "/" not in topic  # a file sink names a folder
                if is_topic and topic not in known and is_known(topic) and not context.is_cut("topics", topic):
                    yield Problem(
                        f"job:{key}",
                        ("jobs", key, field, port),
                        f"job `{key}` {field} `{shown(topic)}`, which is not declared{did_you_mean(topic, known)}",
                        "declare it under topics, or mend the name",
                    )


@rule(
    "J001",
    ERROR,
    "A job's cluster exists and is a Spark cluster",
    why="A job is submitted to one Spark cluster of the stack.",
    fix="Name one of the stack's Spark clusters.",
    source=_HDICTL,
)
def job_cluster(context: Context) -> Iterator[Problem]:
    spark = context.stack.spark_clusters
    for key, job in context.stack.jobs.items():
        cluster = job.cluster
        if cluster not in spark and is_known(cluster) and not context.is_cut("clusters", cluster):
            what = "is not a Spark cluster" if cluster in context.stack.clusters else "is not declared"
            yield Problem(
                f"job:{key}",
                ("jobs", key, "cluster"),
                f"the cluster `{shown(cluster)}` of job `{key}` {what}{did_you_mean(cluster, spark)}",
                f"name {one_of(spark, 'Spark cluster')}",
            )


@rule(
    "J002",
    ERROR,
    "A job's pipeline has the name of a pipeline",
    why="It is the name of a folder under pipelines/, not a path.",
    fix="Use letters, digits, `_` and `-`, a letter first.",
    source=_HDICTL,
)
def pipeline_name(context: Context) -> Iterator[Problem]:
    for key, job in context.stack.jobs.items():
        if is_known(job.pipeline) and not _PIPELINE.match(job.pipeline):
            yield Problem(
                f"job:{key}",
                ("jobs", key, "pipeline"),
                f"`{shown(job.pipeline)}` cannot be a pipeline's name",
                "use letters, digits, _ and -, a letter first",
            )


@rule(
    "J003",
    ERROR,
    "No job reads what it writes",
    why="Every record that it writes comes back to it, without end.",
    fix="Write to another topic.",
    source=_HDICTL,
)
def job_loop(context: Context) -> Iterator[Problem]:
    for key, job in context.stack.jobs.items():
        for port, topic in job.writes.items():
            if topic in job.reads.values():
                yield Problem(
                    f"job:{key}",
                    ("jobs", key, "writes", port),
                    f"job `{key}` reads and writes `{shown(topic)}`",
                    "write to another topic",
                )


@rule(
    "J004",
    WARNING,
    "A job runs in the region of its topics",
    why="Brokers advertise names that only their own VNet resolves; across regions, executors fail to connect "
    "unless DNS or IP advertising is set up, and every byte is paid for.",
    fix="Run the job beside its topics, or mirror them to its region.",
    source="Microsoft Learn: apache-kafka-connect-vpn-gateway",
)
def job_region(context: Context) -> Iterator[Problem]:
    topics = {topic.key: topic for topic in context.topics}
    for key, job in context.stack.jobs.items():
        spark = context.stack.spark_clusters.get(job.cluster)
        here = context.location(spark) if spark else None
        for name in _bound(job) if here else ():
            kafka = context.kafka_of(topics[name]) if name in topics else None
            there = context.location(kafka) if kafka else None
            if there and there != here:
                yield Problem(
                    f"job:{key}",
                    ("jobs", key),
                    f"job `{key}` runs in {here}, and its topic `{shown(name)}` is in {there}",
                    "run it beside its topics, or mirror them",
                )


def _bound(job: Job) -> Iterator[str]:
    yield from job.reads.values()
    yield from job.writes.values()


@rule(
    "J005",
    WARNING,
    "A job reads something",
    why="A job that is bound to no input has nothing to do.",
    fix="Bind its inputs under `reads`.",
    source=_HDICTL,
)
def bound(context: Context) -> Iterator[Problem]:
    for key, job in context.stack.jobs.items():
        if not job.reads:
            yield Problem(f"job:{key}", ("jobs", key), f"job `{key}` reads no topic", "bind its inputs under `reads`")
