"""The stack: what a person may write, with a safe default for what they leave out.

Every object is frozen and refuses unknown keys. Rules that need more than one field, or knowledge of HDInsight and
Kafka, are not here but in `stack.check`, so that all of them are reported at once, with their lines.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    NonNegativeInt,
    PlainValidator,
    PositiveInt,
)

from hdictl.stack.shown import shown
from hdictl.stack.units import milliseconds


def _duration(value: Any) -> Any:
    if isinstance(value, str):
        return milliseconds(value)
    raise ValueError(f"`{shown(value)}` has no unit: write 10s, 5m, 2h or 3d")


def _nothing_is_empty(value: Any) -> Any:
    """`page-views:` with nothing behind it is a topic with defaults, not an error."""
    return {} if value is None else value


def _setting(value: Any) -> Any:
    if isinstance(value, (bool, int, float, str)):
        return value
    raise ValueError("must be a word, a number, true or false")


def _topic_setting(value: Any) -> Any:
    if value is None:
        return None
    if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
        return ",".join(value)
    return _setting(value)


Scalar = bool | int | float | str
Setting = Annotated[Scalar, PlainValidator(_setting, json_schema_input_type=Scalar)]
TopicSetting = Annotated[
    Scalar | None, PlainValidator(_topic_setting, json_schema_input_type=Scalar | list[str] | None)
]
Duration = Annotated[int, BeforeValidator(_duration, json_schema_input_type=str)]


class Part(BaseModel):
    """A part of the stack file."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Azure(Part):
    """Where on Azure the stack lives."""

    subscription: str = Field(description="Subscription id (a GUID); usually ${AZURE_SUBSCRIPTION_ID}.")
    resource_group: str = Field(description="Resource group of everything the stack makes.")
    location: str = Field(description="Default region of clusters and network, such as westeurope.")
    tags: dict[str, str] = Field(default={}, description="Tags on every resource.")


class Secret(Part):
    """Where a secret comes from; never its value."""

    keyvault: str | None = Field(default=None, description="Key Vault that holds it.")
    name: str | None = Field(default=None, description="Its name in the Key Vault.")
    env: str | None = Field(default=None, description="Environment variable that holds it.")


class SshSecret(Part):
    """How one logs in to the nodes."""

    user: str = Field(default="sshuser", description="SSH user on every node.")
    public_key_file: str | None = Field(default=None, description="OpenSSH public key file; preferred.")
    password: Secret | None = Field(default=None, description="A password instead of a key.")


class Secrets(Part):
    """Where secrets come from."""

    gateway: Secret | None = Field(default=None, description="Password of the cluster gateway (Ambari, Livy).")
    ssh: SshSecret | None = Field(default=None, description="SSH login of the nodes.")


class Region(Part):
    """The one VNet of a region."""

    address_space: str = Field(description="Address space of the VNet, such as 10.20.0.0/16.")
    subnets: dict[str, str] = Field(default={}, description="Subnet name → address range; one a cluster.")


class Node(Part):
    """Nodes whose number HDInsight fixes."""

    size: str = Field(description="VM size, such as Standard_E4_v3.")


class KafkaWorkers(Part):
    """Worker nodes; each is a broker."""

    count: PositiveInt = Field(default=4, description="Number of brokers; may only grow.")
    size: str = Field(default="Standard_E4_v3", description="VM size; fixed at creation.")
    disks: PositiveInt = Field(default=2, description="Managed data disks of 1 TB a broker; fixed at creation.")


class SparkWorkers(Part):
    """Worker nodes."""

    count: PositiveInt = Field(default=3, description="Number of workers.")
    size: str = Field(default="Standard_E8_v3", description="VM size; fixed at creation.")


class Key(Part):
    """A key of one's own in Key Vault."""

    keyvault: str = Field(description="Key Vault that holds it.")
    name: str = Field(description="Its name in the Key Vault.")
    version: str | None = Field(default=None, description="Key version; the newest when absent.")


class Encryption(Part):
    """Encryption of disks."""

    key: Key | None = Field(default=None, description="Customer-managed key for the data disks; creation only.")
    at_host: bool = Field(default=False, description="Encryption at host; needs a size that has it.")


class Domains(Part):
    """Fault and update domain of one local broker."""

    fd: NonNegativeInt = Field(description="Fault domain.")
    ud: NonNegativeInt = Field(description="Update domain.")


class Local(Part):
    """How the cluster looks on the targets `local` and `docker`."""

    brokers: PositiveInt | None = Field(
        default=None, description="Cap on the number of brokers; default: workers.count."
    )
    fault_domains: PositiveInt = Field(default=3, description="Fault domains; broker i is in i mod this.")
    update_domains: PositiveInt = Field(default=5, description="Update domains; broker i is in i mod this.")
    domains: dict[int, Domains] = Field(default={}, description="Domains of single brokers, by broker id (1001 …).")
    port: Annotated[int, Field(ge=1, le=65535)] | None = Field(
        default=None, description="First broker's port; chosen when absent."
    )
    config: dict[str, Setting] = Field(default={}, description="Broker settings on top of HDInsight's.")


class Cluster(Part):
    """What Kafka and Spark clusters share."""

    name: str | None = Field(
        default=None, description="Name on Azure, unique in the world; default: <cluster>-<stack>."
    )
    location: str | None = Field(default=None, description="Region; default: azure.location.")
    version: str = Field(default="5.1", description="HDInsight version.")
    subnet: str | None = Field(default=None, description="Subnet in the region's VNet; default: the cluster's key.")
    head: Node | None = Field(default=None, description="The two head nodes.")
    zookeeper: Node | None = Field(default=None, description="The three ZooKeeper nodes.")
    gateway_user: str = Field(default="admin", description="User of Ambari and Livy.")
    zone: Literal["1", "2", "3"] | None = Field(default=None, description="Availability zone; fixed at creation.")
    encryption: Encryption = Field(default=Encryption(), description="Encryption of disks; fixed at creation.")
    tags: dict[str, str] = Field(default={}, description="Tags on the cluster, on top of azure.tags.")


class KafkaCluster(Cluster):
    """A Kafka cluster."""

    kind: Literal["kafka"] = Field(description="What the cluster runs: kafka or spark.")
    kafka: str = Field(default="3.2", description="Kafka version, major.minor.")
    workers: KafkaWorkers = Field(default=KafkaWorkers(), description="The brokers.")
    local: Local = Field(default=Local(), description="How the cluster looks on the targets local and docker.")
    bootstrap: list[str] = Field(default=[], description="Brokers, host:port, when they are reached directly.")
    proxy: str | None = Field(default=None, description="SOCKS proxy to the brokers, socks5h://host:port.")
    cluster_id: str | None = Field(default=None, description="Kafka's cluster id; no other cluster is ever touched.")


class Autoscale(Part):
    """Load-based autoscale of Spark workers."""

    min: PositiveInt = Field(description="Never fewer workers than this.")
    max: PositiveInt = Field(description="Never more workers than this.")


class SparkCluster(Cluster):
    """A Spark cluster."""

    kind: Literal["spark"] = Field(description="What the cluster runs: kafka or spark.")
    spark: str = Field(default="3.3", description="Spark version, major.minor.")
    workers: SparkWorkers = Field(default=SparkWorkers(), description="The worker nodes.")
    autoscale: Autoscale | None = Field(default=None, description="Load-based autoscale of the workers.")


AnyCluster = Annotated[KafkaCluster | SparkCluster, Field(discriminator="kind")]


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


_EMPTY_TOPIC = BeforeValidator(_nothing_is_empty, json_schema_input_type=Topic | None)


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


_EMPTY_TOPICS = BeforeValidator(_nothing_is_empty, json_schema_input_type=Topics | None)
_EMPTY_DELETED = BeforeValidator(_nothing_is_empty, json_schema_input_type=DeletedTopic | None)


class Job(Part):
    """A streaming job: a pipeline on a Spark cluster, bound to topics."""

    pipeline: str = Field(description="Name of the pipeline.")
    cluster: str = Field(description="Spark cluster it runs on.")
    reads: dict[str, str] = Field(default={}, description="Input of the pipeline → topic.")
    writes: dict[str, str] = Field(default={}, description="Output of the pipeline → topic.")
    trigger: Duration = Field(
        default=10_000,
        description="Time between micro-batches, such as 10s.",
        validate_default=False,
        json_schema_extra={"default": "10s"},
    )
    parameters: dict[str, Setting] = Field(default={}, description="Parameters of the pipeline.")


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
