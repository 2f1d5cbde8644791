"""Topics with their defaults filled in: what the plan compares with the cluster."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hdictl.stack.model import Stack
from hdictl.stack.topic_config import to_canonical


@dataclass(frozen=True)
class TopicSpec:
    """A topic as it shall be."""

    key: str  # its name in the stack file
    name: str  # its name in Kafka
    cluster: str
    partitions: int
    replication: int
    config: Mapping[str, str] = field(default_factory=dict)
    schema: str | None = None

    @property
    def address(self) -> str:
        return f"topic:{self.cluster}/{self.name}"


def only_kafka_cluster(stack: Stack) -> str | None:
    names = list(stack.kafka_clusters)
    return names[0] if len(names) == 1 else None


def resolved_topics(stack: Stack) -> tuple[TopicSpec, ...]:
    """Every topic of a stack that passed its checks, in the file's order."""
    defaults = stack.topics.defaults
    fallback = defaults.cluster or only_kafka_cluster(stack)
    specs = []
    for key, topic in stack.topics.items():
        settings = {**defaults.config, **topic.config}
        specs.append(
            TopicSpec(
                key=key,
                name=topic.name or key,
                cluster=topic.cluster or fallback or "",
                partitions=topic.partitions or defaults.partitions,
                replication=topic.replication or defaults.replication,
                config={name: to_canonical(name, value) for name, value in settings.items() if value is not None},
                schema=topic.schema_file,
            )
        )
    return tuple(specs)


def deleted_topics(stack: Stack) -> tuple[tuple[str, str], ...]:
    """(cluster, topic) for every topic that the stack wants gone."""
    fallback = stack.topics.defaults.cluster or only_kafka_cluster(stack) or ""
    return tuple((topic.cluster or fallback, name) for name, topic in stack.deleted.items())
