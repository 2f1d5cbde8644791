"""A living cluster's topics as a stack would say them, and those that no stack claims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hdictl.errors import KafkaRejected, UsageError
from hdictl.plan.observed import ObservedCluster, ObservedTopic
from hdictl.stack.model import Stack
from hdictl.stack.suggest import did_you_mean
from hdictl.stack.topic_config import to_readable
from hdictl.stack.topics import TopicSpec, only_kafka_cluster, resolved_topics

# Made and kept by Kafka, Connect and MirrorMaker; no stack declares them.
_OTHERS = ("mm2-", "__", "connect-", "_schemas")


def is_foreign(name: str) -> bool:
    return name.startswith(_OTHERS) or name.endswith(".internal") or name == "heartbeats"


def orphans(observed: ObservedCluster, desired: tuple[TopicSpec, ...]) -> tuple[ObservedTopic, ...]:
    """Topics that live in the cluster and stand in no stack."""
    claimed = {spec.name for spec in desired if spec.cluster == observed.cluster}
    return tuple(
        topic for name, topic in sorted(observed.topics.items()) if name not in claimed and not is_foreign(name)
    )


def imported(observed: ObservedCluster) -> dict[str, Any]:
    """A `topics:` section whose plan against this cluster is empty."""
    topics = [topic for name, topic in sorted(observed.topics.items()) if not is_foreign(name)]
    defaults: dict[str, Any] = {"cluster": observed.cluster}
    if topics:
        defaults["partitions"] = _most_common(topic.partitions for topic in topics)
        defaults["replication"] = _most_common(topic.replication for topic in topics)
    section: dict[str, Any] = {"defaults": defaults}
    for topic in topics:
        # `defaults` is a word of the stack file; a topic of that name goes under another key.
        key = topic.name if topic.name != "defaults" else "topic-named-defaults"
        section[key] = _described(topic, defaults)
        if key != topic.name:
            section[key]["name"] = topic.name
    return section


def _described(topic: ObservedTopic, defaults: Mapping[str, Any]) -> dict[str, Any]:
    said: dict[str, Any] = {}
    if topic.partitions != defaults["partitions"]:
        said["partitions"] = topic.partitions
    if topic.replication != defaults["replication"]:
        said["replication"] = topic.replication
    if topic.config:
        said["config"] = {key: to_readable(key, value) for key, value in sorted(topic.config.items())}
    return said


def _most_common(values: Any) -> int:
    return int(Counter(values).most_common(1)[0][0])


def chosen_cluster(stack: Stack, named: str | None) -> str:
    """The cluster a person named, else the one that needs no naming."""
    known = stack.kafka_clusters
    if named is not None and named not in known:
        raise UsageError(
            f"there is no Kafka cluster `{named}`{did_you_mean(named, known)}", fix=f"it is one of {', '.join(known)}"
        )
    cluster = named or stack.topics.defaults.cluster or only_kafka_cluster(stack)
    if cluster is None:
        raise UsageError("the stack has several Kafka clusters", fix=f"choose one: --cluster {'|'.join(known)}")
    return cluster


def cluster_of(stack: Stack, topic: str, named: str | None) -> str:
    """The cluster of a topic: the one named, else the one that the stack puts it on."""
    owners = [spec.cluster for spec in resolved_topics(stack) if spec.name == topic]
    if named is None and len(owners) == 1:
        return owners[0]
    return chosen_cluster(stack, named)


def schema_file(stack: Stack, topic: str, cluster: str, folder: Path) -> Path | None:
    """The Avro schema of a topic's values, when the stack names one."""
    named = {(spec.cluster, spec.name): spec.schema for spec in resolved_topics(stack)}.get((cluster, topic))
    return folder / named if named is not None else None


def living_topic(observed: ObservedCluster, name: str) -> ObservedTopic:
    if name not in observed.topics:
        raise KafkaRejected(
            f"there is no topic `{name}`{did_you_mean(name, observed.topics)}",
            where=f"cluster `{observed.cluster}`",
            fix="list them: hdictl topics list; make it: hdictl apply",
        )
    return observed.topics[name]
