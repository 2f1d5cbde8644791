"""What rules look at: the stack with its lines, and the answers that several rules need, worked out once."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path as FilePath

from hdictl.stack.check.topic_view import TopicView, topic_views
from hdictl.stack.clusters import AnyCluster, Cluster, KafkaCluster, SparkCluster
from hdictl.stack.locations import canonical
from hdictl.stack.model import Stack
from hdictl.stack.place import Azure
from hdictl.stack.source import Source

LOCAL_TARGETS = ("local", "docker")


@dataclass(frozen=True)
class Context:
    stack: Stack
    source: Source
    cut: frozenset[tuple[str, str]]  # (section, name) of what did not fit the model
    folder: FilePath  # of the stack file
    today: datetime.date
    environ: Mapping[str, str]
    target: str
    read_text: Callable[[FilePath], str]

    @cached_property
    def topics(self) -> tuple[TopicView, ...]:
        return topic_views(self.stack)

    @cached_property
    def fallback_cluster(self) -> str | None:
        """Where topics live that name no cluster."""
        kafka = self.stack.kafka_clusters
        return self.stack.topics.defaults.cluster or (next(iter(kafka)) if len(kafka) == 1 else None)

    @cached_property
    def topics_of(self) -> Mapping[str, tuple[TopicView, ...]]:
        """Topics by the cluster they live on."""
        grouped: dict[str, list[TopicView]] = {}
        for topic in self.topics:
            cluster = topic.cluster or self.fallback_cluster
            if cluster is not None:
                grouped.setdefault(cluster, []).append(topic)
        return {cluster: tuple(topics) for cluster, topics in grouped.items()}

    def kafka_of(self, topic: TopicView) -> KafkaCluster | None:
        """The Kafka cluster of a topic, when it names one that exists."""
        cluster = self.stack.clusters.get(topic.cluster or self.fallback_cluster or "")
        return cluster if isinstance(cluster, KafkaCluster) else None

    def is_cut(self, section: str, name: str | None = None) -> bool:
        """Was this left out because it does not fit? Without a name: was anything of the section?"""
        if name is None:
            return any(part == section for part, _ in self.cut)
        return (section, name) in self.cut or (section, "*") in self.cut

    def azure_name(self, key: str) -> str:
        """A cluster's name on Azure."""
        return self.stack.azure_name(key)

    def location(self, cluster: Cluster) -> str | None:
        """The region of a cluster, when the stack says one that is known here."""
        azure = self.stack.azure
        named = cluster.location or (azure.location if azure else None)
        return canonical(named) if named is not None and is_known(named) else None

    def subnet(self, key: str) -> str:
        return self.stack.subnet_of(key)

    def brokers(self, cluster: KafkaCluster) -> int:
        """How many brokers the cluster has on this target."""
        cap = cluster.local.brokers if self.target in LOCAL_TARGETS else None
        return min(cluster.workers.count, cap) if cap is not None else cluster.workers.count

    @property
    def makes_clusters(self) -> bool:
        return self.stack.makes_clusters

    @property
    def azure(self) -> Azure | None:
        return self.stack.azure

    def kafka(self) -> Iterator[tuple[str, KafkaCluster]]:
        return iter(self.stack.kafka_clusters.items())

    def spark(self) -> Iterator[tuple[str, SparkCluster]]:
        return iter(self.stack.spark_clusters.items())


def is_known(text: str) -> bool:
    """Not a variable that this machine does not have: on a laptop, those of Azure may stay unset."""
    return "${" not in text


def most_workers(cluster: AnyCluster) -> int:
    """How many workers a cluster may have without anybody's doing."""
    autoscale = cluster.autoscale if isinstance(cluster, SparkCluster) else None
    return max(cluster.workers.count, autoscale.max if autoscale else 0)
