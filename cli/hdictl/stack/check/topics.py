"""T: topics: names, partitions, replicas, and what they ask of the brokers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hdictl.stack.check.context import Context
from hdictl.stack.check.registry import ERROR, WARNING, Problem, rule
from hdictl.stack.check.topic_view import TopicView
from hdictl.stack.shown import shown

_NAME = re.compile(r"[A-Za-z0-9._-]{1,249}\Z")
_RESERVED = re.compile(r"__.*|.*\.internal|(?:.*\.)?heartbeats|mm2-.*|_schemas|connect-(?:configs|offsets|status)")
PARTITIONS_A_BROKER = 2000
_LINT = "Apache Kafka 3.2"
_HIGH_AVAILABILITY = "Microsoft Learn: apache-kafka-high-availability"


def _name_problem(topic: TopicView, message: str, fix: str) -> Problem:
    path = (*topic.path, "name") if topic.topic.name is not None else topic.path
    return Problem(topic.address, path, message, fix)


@rule(
    "T001",
    ERROR,
    "A topic's name is 1–249 letters, digits, `.`, `_` and `-`",
    why="Kafka refuses anything else, and `.` and `..` too, which would be folders.",
    fix="Rename the topic.",
    source=f"{_LINT}: org.apache.kafka.common.internals.Topic",
)
def name(context: Context) -> Iterator[Problem]:
    for topic in context.topics:
        if not _NAME.match(topic.name) or topic.name in (".", ".."):
            yield _name_problem(
                topic,
                f"`{shown(topic.name)}` ({len(topic.name)} characters) cannot be a topic's name",
                "use 1–249 letters, digits, . _ and -",
            )


@rule(
    "T002",
    ERROR,
    "A topic has at least three partitions",
    why="Fewer partitions than brokers leave brokers idle and one consumer with all the work; adding partitions later "
    "moves keys to other partitions.",
    fix="Set `partitions` to 3 or more, a multiple of the number of brokers.",
    source="hdictl; the same default as Julie's",
)
def partitions(context: Context) -> Iterator[Problem]:
    for topic in context.topics:
        if topic.partitions < 3:
            yield topic.problem(
                ("partitions",),
                f"has {topic.partitions} partition{'s'[: topic.partitions - 1]}, and at least 3 are needed",
                "set partitions to 3 or more",
            )


@rule(
    "T003",
    ERROR,
    "A topic has at least three replicas",
    why="With two, the loss of one broker during maintenance of another stops writes or loses data. In a region with "
    "two fault domains, take four.",
    fix="Set `replication: 3`.",
    source=_HIGH_AVAILABILITY,
)
def replication(context: Context) -> Iterator[Problem]:
    for topic in context.topics:
        if topic.replication < 3:
            yield topic.problem(
                ("replication",),
                f"has {topic.replication} of the 3 replicas that survive a failure during maintenance",
                "set replication to 3 or more",
            )


@rule(
    "T004",
    ERROR,
    "`min.insync.replicas` is at least 2 and below the number of replicas",
    why="At 1 an acknowledged record may live on one disk only; equal to the replicas, every restart of a broker stops "
    "writes. The broker accepts both, and even 5 on a topic with 2 replicas.",
    fix="With three replicas, set it to 2; that is also the default on HDInsight.",
    source="Measured on Apache Kafka 3.2.0; Microsoft Learn: apache-kafka-mirror-maker-2",
)
def min_isr(context: Context) -> Iterator[Problem]:
    for topic in context.topics:
        least, replicas = topic.min_isr, topic.replication
        setting = ("config", "min.insync.replicas")
        if least < 2:
            yield topic.problem(
                setting, f"acknowledges a record that {least} replica has (min.insync.replicas)", "set it to 2"
            )
        elif least >= replicas:
            stopped = "one broker down stops writes" if least == replicas else "nothing can be written"
            lower = f"min.insync.replicas to {replicas - 1}, or " if replicas > 2 else ""
            yield topic.problem(
                setting if "min.insync.replicas" in topic.settings else ("replication",),
                f"wants {least} replicas in sync and has {replicas}: {stopped}",
                f"set {lower}replication to {least + 1}",
            )


@rule(
    "T005",
    ERROR,
    "A topic has no more replicas than its cluster has brokers",
    why="Kafka refuses it (InvalidReplicationFactor). On the targets local and docker, `local.brokers` is a cap.",
    fix="Lower `replication`, or add brokers.",
    source=_LINT,
    varies=True,
)
def enough_brokers(context: Context) -> Iterator[Problem]:
    for topic in context.topics:
        cluster = context.kafka_of(topic)
        if cluster is None:
            continue
        brokers = context.brokers(cluster)
        if topic.replication > brokers:
            is_capped = brokers < cluster.workers.count
            counted = "1 broker" if brokers == 1 else f"{brokers} brokers"
            yield topic.problem(
                ("replication",),
                f"wants {topic.replication} replicas, and `{topic.cluster or context.fallback_cluster}` has {counted}"
                + (f" on the target {context.target}" if is_capped else ""),
                f"raise {'local.brokers' if is_capped else 'workers.count'} to {topic.replication}, "
                "or lower replication",
            )


@rule(
    "T011",
    WARNING,
    f"A broker carries at most {PARTITIONS_A_BROKER} replicas",
    why="HDInsight's guide value for all partitions and their replicas on a broker; beyond it, elections and restarts "
    "take minutes and the number of open files and maps becomes a limit.",
    fix="Add brokers, or lower the number of partitions.",
    source="Microsoft Learn: apache-kafka-scalability; apache-kafka-performance-tuning",
)
def budget(context: Context) -> Iterator[Problem]:
    for key, topics in context.topics_of.items():
        cluster = context.stack.kafka_clusters.get(key)
        if cluster is None:
            continue
        replicas = sum(topic.partitions * topic.replication for topic in topics)
        each = -(-replicas // cluster.workers.count)
        if each > PARTITIONS_A_BROKER:
            needed = -(-replicas // PARTITIONS_A_BROKER)
            yield Problem(
                f"cluster:{key}",
                ("clusters", key, "workers", "count"),
                f"{len(topics):,} topics put {each:,} replicas on each of `{key}`'s {cluster.workers.count} brokers",
                f"set workers.count to {needed} or more, or lower the number of partitions",
            )


@rule(
    "T013",
    ERROR,
    "A topic's name is not one that Kafka or a mirror uses for itself",
    why="`__*`, `*.internal`, `heartbeats`, `mm2-*` and Connect's own topics are made, read and compacted by them; "
    "settings of yours would break offsets or mirroring.",
    fix="Rename the topic.",
    source=f"{_LINT}: MirrorMaker 2 and Connect",
)
def reserved(context: Context) -> Iterator[Problem]:
    for topic in context.topics:
        if _RESERVED.fullmatch(topic.name):
            yield _name_problem(
                topic, f"`{shown(topic.name)}` is a name that Kafka or a mirror uses for itself", "rename the topic"
            )


@rule(
    "T018",
    ERROR,
    "No two topics of a cluster have one name",
    why="They would be one topic, with two opinions about it.",
    fix="Rename one, or put it on another cluster.",
    source="hdictl",
)
def twice(context: Context) -> Iterator[Problem]:
    for cluster, topics in context.topics_of.items():
        seen: dict[str, str] = {}
        for topic in topics:
            other = seen.setdefault(topic.name, topic.key)
            if other != topic.key:
                yield _name_problem(
                    topic,
                    f"topics `{shown(other)}` and `{shown(topic.key)}` are both `{shown(topic.name)}` on `{cluster}`",
                    "rename one, or put it on another cluster",
                )


@rule(
    "T021",
    ERROR,
    "No two topics of a cluster differ only in `.` and `_`",
    why="Their metrics have one name, so Kafka refuses the second (InvalidTopicException: collides).",
    fix="Use either `.` or `_` in names, not both.",
    source=f"{_LINT}: org.apache.kafka.common.internals.Topic",
)
def collision(context: Context) -> Iterator[Problem]:
    for cluster, topics in context.topics_of.items():
        seen: dict[str, TopicView] = {}
        for topic in topics:
            other = seen.setdefault(topic.name.replace(".", "_"), topic)
            if other.name != topic.name:
                yield _name_problem(
                    topic,
                    f"`{shown(topic.name)}` and `{shown(other.name)}` on `{cluster}` differ only in `.` and `_`",
                    "rename one of them",
                )
