"""T and D: topics, topics to be deleted, and the clusters they name."""

from __future__ import annotations

from collections.abc import Iterator

from hdictl.stack.check.context import Context, is_known
from hdictl.stack.check.registry import ERROR, Problem, rule
from hdictl.stack.shown import shown
from hdictl.stack.suggest import did_you_mean, one_of

_HDICTL = "hdictl"


@rule(
    "T016",
    ERROR,
    "A topic's cluster exists and is a Kafka cluster",
    why="A topic lives on one Kafka cluster of the stack.",
    fix="Name one of the stack's Kafka clusters.",
    source=_HDICTL,
)
def topic_cluster(context: Context) -> Iterator[Problem]:
    kafka = context.stack.kafka_clusters
    named = {topic.key: topic.cluster for topic in context.topics if topic.cluster}
    if context.stack.topics.defaults.cluster:
        named = {"defaults": context.stack.topics.defaults.cluster, **named}
    for key, cluster in named.items():
        if cluster not in kafka and is_known(cluster) and not context.is_cut("clusters", cluster):
            what = "is not a Kafka cluster" if cluster in context.stack.clusters else "is not declared"
            yield Problem(
                f"topic:{key}",
                ("topics", key, "cluster"),
                f"the cluster `{shown(cluster)}` of `topics.{shown(key)}` {what}{did_you_mean(cluster, kafka)}",
                f"name {one_of(kafka, 'Kafka cluster')}",
            )


@rule(
    "T017",
    ERROR,
    "Every topic has a cluster",
    why="With one Kafka cluster it is clear where topics live; with several, each topic or `topics.defaults` says so.",
    fix="Set `topics.defaults.cluster`, or `cluster` on the topic.",
    source=_HDICTL,
)
def topic_has_cluster(context: Context) -> Iterator[Problem]:
    if context.fallback_cluster or context.is_cut("clusters") or context.is_cut("topics", "defaults"):
        return
    kafka = list(context.stack.kafka_clusters)
    homeless = [topic for topic in context.topics if topic.cluster is None]
    if homeless and not kafka:
        yield Problem("topics", ("topics",), "there are topics, and no Kafka cluster", "add one under `clusters`")
        return
    for topic in homeless:
        yield Problem(
            topic.address,
            topic.path,
            f"topic `{topic.key}` names no cluster, and there are {len(kafka)}: {', '.join(kafka[:8])}",
            "set `topics.defaults.cluster`, or `cluster` on the topic",
        )


@rule(
    "T019",
    ERROR,
    "No topic is both declared and deleted",
    why="It would be made and deleted in turns.",
    fix="Take it away from `topics` or from `deleted`.",
    source=_HDICTL,
)
def declared_and_deleted(context: Context) -> Iterator[Problem]:
    declared_names = {(topic.cluster or context.fallback_cluster, topic.name): topic.key for topic in context.topics}
    for name, deleted in context.stack.deleted.items():
        key = declared_names.get((deleted.cluster or context.fallback_cluster, name))
        if key is not None:
            yield Problem(
                f"deleted:{name}",
                ("deleted", name),
                f"`{shown(name)}` is under `deleted` and is the topic `{shown(key)}`",
                "take it away from one of the two",
            )


@rule(
    "D001",
    ERROR,
    "A deleted topic's cluster is known",
    why="What shall be deleted must be found without doubt.",
    fix="Set `cluster` to one of the stack's Kafka clusters.",
    source=_HDICTL,
)
def deleted_cluster(context: Context) -> Iterator[Problem]:
    kafka = context.stack.kafka_clusters
    for name, deleted in context.stack.deleted.items():
        cluster = deleted.cluster
        if cluster is None:
            if context.fallback_cluster is None and not context.cut:
                yield Problem(
                    f"deleted:{name}",
                    ("deleted", name),
                    f"`{shown(name)}` shall be deleted, and it is not said on which cluster",
                    f"set `cluster` to {one_of(kafka, 'Kafka cluster')}",
                )
        elif cluster not in kafka and is_known(cluster) and not context.is_cut("clusters", cluster):
            yield Problem(
                f"deleted:{name}",
                ("deleted", name, "cluster"),
                f"`{shown(cluster)}` is not a Kafka cluster of this stack{did_you_mean(cluster, kafka)}",
                f"name {one_of(kafka, 'Kafka cluster')}",
            )
