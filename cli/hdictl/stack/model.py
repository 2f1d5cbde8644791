"""The stack: what a person may write, with a safe default for what they leave out.

Every object is frozen and refuses unknown keys. Rules that need more than one field, or knowledge of HDInsight and
Kafka, are not here but in `stack.check`, so that all of them are reported at once, with their lines. Where the stack
lives is in `place`, its clusters are in `clusters`.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PositiveInt

from hdictl.stack.clusters import AnyCluster, KafkaCluster, SparkCluster
from hdictl.stack.part import Duration, Part, Setting, TopicSetting, nothing_is_empty
from hdictl.stack.place import Azure, Region, Secrets, Storage


class TopicDefaults(Part):
    """What topics have when they do not say otherwise."""

    cluster: str | None = Field(default=None, description="Cluster; default: the stack's only Kafka cluster.")
    partitions: PositiveInt = Field(default=3, description="Number of partitions; may only grow.")
    replication: PositiveInt = Field(default=3, description="Replicas of each partition.")
    config: dict[str, TopicSetting] = Field(
        default={}, description="Topic-level settings; durations as 3d, sizes as 50MB."
    )


class Topic(Part):
    """A topic."""

    name: str | None = Field(
        default=None, description="Name in Kafka when it is not the key (one topic on two clusters)."
    )
    cluster: str | None = Field(default=None, description="Kafka cluster; default: topics.defaults.cluster.")
    partitions: PositiveInt | None = Field(
        default=None, description="Number of partitions; may only grow. Default: that of topics.defaults."
    )
    replication: PositiveInt | None = Field(
        default=None, description="Replicas of each partition. Default: that of topics.defaults."
    )
    config: dict[str, TopicSetting] = Field(
        default={}, description="Topic-level settings; durations as 3d, sizes as 50MB; null drops a default."
    )
    schema_file: str | None = Field(default=None, alias="schema", description="Avro schema (.avsc) of the values.")
    description: str | None = Field(default=None, description="What the topic is for.")


_EMPTY_TOPIC = BeforeValidator(nothing_is_empty, json_schema_input_type=Topic | None)


class Topics(BaseModel):
    """Topics by name; `defaults` is not a topic."""

    model_config = ConfigDict(frozen=True, extra="allow")
    __pydantic_extra__: dict[str, Annotated[Topic, _EMPTY_TOPIC]] = Field(init=False)

    defaults: TopicDefaults = Field(default=TopicDefaults(), description="What topics have when they say nothing.")

    def items(self) -> Iterator[tuple[str, Topic]]:
        return iter((self.__pydantic_extra__ or {}).items())


class DeletedTopic(Part):
    """A topic that may be deleted, when `apply` is also given --delete-topics."""

    cluster: str | None = Field(default=None, description="Kafka cluster; default: topics.defaults.cluster.")
    reason: str | None = Field(default=None, description="Why it shall be gone.")


_EMPTY_TOPICS = BeforeValidator(nothing_is_empty, json_schema_input_type=Topics | None)
_EMPTY_DELETED = BeforeValidator(nothing_is_empty, json_schema_input_type=DeletedTopic | None)


class JobResources(Part):
    """What a job gets of its Spark cluster; default: what the cluster gives."""

    driver_memory: str | None = Field(default=None, description="Memory of the driver, such as 2g.")
    driver_cores: PositiveInt | None = Field(default=None, description="Cores of the driver.")
    executors: PositiveInt | None = Field(default=None, description="Number of executors.")
    executor_memory: str | None = Field(default=None, description="Memory of an executor, such as 4g.")
    executor_cores: PositiveInt | None = Field(default=None, description="Cores of an executor.")


class Job(Part):
    """A streaming job: a pipeline on a Spark cluster, bound to topics."""

    pipeline: str = Field(
        description="Name of the pipeline: a folder of pipelines/ beside the stack, or a shipped one."
    )
    cluster: str = Field(description="Spark cluster it runs on.")
    reads: dict[str, str] = Field(default={}, description="Source of the pipeline → topic.")
    writes: dict[str, str] = Field(
        default={},
        description="Sink of the pipeline → topic; for a file sink, a folder such as abfs://….",
    )
    flows: list[str] = Field(default=[], description="Flows of the pipeline that run; default: all.")
    trigger: Duration | None = Field(
        default=None, description="Time between micro-batches, such as 10s. Default: the pipeline's."
    )
    starting_offsets: dict[str, Literal["earliest", "latest"]] = Field(
        default={}, description="Source → where a job without a checkpoint begins. Default: the pipeline's."
    )
    max_offsets_per_trigger: PositiveInt | None = Field(
        default=None, description="Most records that a micro-batch takes of a source. Default: the pipeline's."
    )
    parameters: dict[str, Setting] = Field(default={}, description="Parameters of the pipeline.")
    configuration: dict[str, Setting] = Field(default={}, description="Settings of Spark.")
    resources: JobResources = Field(default=JobResources(), description="Memory and cores.")
    packages: bool = Field(
        default=False, description="Let the cluster fetch jars by Maven coordinates, in place of staging ours."
    )
    delta: bool = Field(default=False, description="Add the Delta jars, for sinks and tables of that format.")


class Mirror(Part):
    """Topics of one cluster copied to another by MirrorMaker."""

    source: str = Field(alias="from", description="Source cluster.")
    target: str = Field(alias="to", description="Target cluster.")
    topics: list[str] = Field(default=[".*"], description="Topics, by name or pattern.")
    groups: list[str] = Field(default=[".*"], description="Consumer groups, by name or pattern.")
    nodes: PositiveInt = Field(default=2, description="MirrorMaker nodes.")
    policy: Literal["default", "identity"] = Field(
        default="default", description="default: topics become <source>.<topic>; identity: they keep their names."
    )


class Monitor(Part):
    """Azure Monitor."""

    workspace: str = Field(default="new", description="`new`, or the name of a Log Analytics workspace.")
    alerts: Literal["default", "none"] = Field(default="default", description="Alerts on brokers, jobs and mirrors.")
    notify: list[str] = Field(default=[], description="Mail addresses that alerts go to.")


class Waiver(Part):
    """A rule that does not apply here, and why."""

    rule: str = Field(description="Id of the rule, such as T003.")
    addresses: list[str] = Field(
        default=["*"], alias="on", description="What it is waived for: topic:page-views, cluster:*."
    )
    reason: str = Field(min_length=1, description="Why; a waiver without a reason is none.")
    until: datetime.date | None = Field(default=None, description="The day it ends.")


class Stack(Part):
    """One file: clusters, network, topics, mirrors, monitoring and streaming jobs."""

    stack: str = Field(description="Name of the stack; resource names, tags and locks derive from it.")
    azure: Azure | None = Field(default=None, description="Where on Azure the stack lives.")
    secrets: Secrets = Field(default=Secrets(), description="Where secrets come from; never their values.")
    network: dict[str, Region] = Field(default={}, description="Region → its VNet.")
    storage: dict[str, Storage] = Field(default={}, description="Region → the storage account of its clusters.")
    clusters: dict[str, AnyCluster] = Field(default={}, description="Kafka and Spark clusters.")
    topics: Annotated[Topics, _EMPTY_TOPICS] = Field(default=Topics(), description="Topics, and their defaults.")
    deleted: dict[str, Annotated[DeletedTopic, _EMPTY_DELETED]] = Field(
        default={}, description="Topics that shall be gone."
    )
    jobs: dict[str, Job] = Field(default={}, description="Streaming jobs.")
    mirrors: dict[str, Mirror] = Field(default={}, description="Topics copied from one cluster to another.")
    monitor: Monitor | None = Field(default=None, description="Azure Monitor: workspace and alerts.")
    waivers: dict[str, Waiver] = Field(default={}, description="Rules that do not apply here, and why.")

    @property
    def kafka_clusters(self) -> Mapping[str, KafkaCluster]:
        return {name: cluster for name, cluster in self.clusters.items() if isinstance(cluster, KafkaCluster)}

    @property
    def spark_clusters(self) -> Mapping[str, SparkCluster]:
        return {name: cluster for name, cluster in self.clusters.items() if isinstance(cluster, SparkCluster)}

    @property
    def makes_clusters(self) -> bool:
        """Without a place on Azure, clusters whose brokers are all named under `bootstrap` are there already."""
        clusters = self.clusters.values()
        are_reached = all(isinstance(each, KafkaCluster) and each.bootstrap for each in clusters)
        return self.azure is not None or not clusters or not are_reached

    def azure_name(self, cluster: str) -> str:
        """A cluster's name on Azure."""
        return self.clusters[cluster].name or f"{cluster}-{self.stack}"

    def location_of(self, cluster: str) -> str | None:
        """The region that a cluster names, or the stack's."""
        return self.clusters[cluster].location or (self.azure.location if self.azure else None)

    def subnet_of(self, cluster: str) -> str:
        return self.clusters[cluster].subnet or cluster
