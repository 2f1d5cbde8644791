"""Kafka and Spark clusters as a person describes them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, NonNegativeInt, PositiveInt

from hdictl.stack.part import Part, Setting, Word
from hdictl.stack.place import Secret

Weekday = Literal["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def _digit_is_text(value: Any) -> Any:
    """Azure's zones are words; people write them as numbers."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Zone = Annotated[
    Literal["1", "2", "3"], BeforeValidator(_digit_is_text, json_schema_input_type=Literal["1", "2", "3", 1, 2, 3])
]


class Node(Part):
    """Nodes whose number HDInsight fixes."""

    size: str = Field(description="VM size, such as Standard_E4_v3; fixed at creation.")


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
    version: str | None = Field(
        default=None,
        description="Key version, 32 hexadecimal digits; another one rotates the key. Default: the newest at creation.",
    )
    resource_group: str | None = Field(default=None, description="Resource group of the vault; default: the stack's.")
    create: bool = Field(default=False, description="Make the vault and the key as a part of the stack.")


class Encryption(Part):
    """Encryption of disks, and between nodes."""

    key: Key | None = Field(default=None, description="Customer-managed key for the data disks; creation only.")
    at_host: bool = Field(
        default=False, description="Encryption at host; every role needs a size that has it, such as Standard_E8a_v4."
    )
    in_transit: bool = Field(default=False, description="IPSec between the nodes; Kafka's own TLS is another matter.")


class Network(Part):
    """How a cluster and HDInsight's own services reach each other; fixed at creation."""

    connection: Literal["inbound", "outbound"] = Field(
        default="inbound",
        description="inbound: HDInsight calls the cluster, which has two public addresses; "
        "outbound: the cluster calls HDInsight, and has none.",
    )
    private_link: bool = Field(
        default=False, description="Private endpoints may reach it; needs `connection: outbound`."
    )
    dependencies: Literal["managed", "external"] | None = Field(
        default=None, description="Who keeps outbound dependencies reachable; uses a preview of the service's API."
    )


class EntraUser(Part):
    """A user of the gateway, by Microsoft Entra ID."""

    object_id: str = Field(description="Object id (a GUID) of the user.")
    upn: str = Field(description="User principal name, such as ada@example.com.")


class SecurityProfile(Part):
    """Enterprise Security Package: a domain, and Ranger; fixed at creation."""

    domain: Word = Field(description="Domain of Microsoft Entra Domain Services, such as example.onmicrosoft.com.")
    directory: str = Field(description="Resource id of the Microsoft Entra Domain Services instance.")
    ldaps: list[str] = Field(min_length=1, description="Addresses of the directory, such as ldaps://example.com:636.")
    user: Word = Field(description="Domain user that joins the nodes, such as hdi-join@example.onmicrosoft.com.")
    password: Secret = Field(description="Where that user's password comes from.")
    groups: list[Word] = Field(min_length=1, description="Groups whose members may use the cluster.")
    organizational_unit: Word | None = Field(
        default=None, description="Distinguished name of the organizational unit of the cluster's objects, OU=…,DC=…."
    )
    identity: str = Field(description="Resource id of the user-assigned identity with access to the directory.")


class Script(Part):
    """A script action: runs on nodes when the cluster is made, and on nodes that join later."""

    uri: str = Field(description="Address of the bash script, https:// or wasbs://, reachable from the nodes.")
    parameters: str = Field(default="", description="Its arguments. Not for secrets: everybody can read them.")
    on: list[Literal["head", "worker", "zookeeper"]] = Field(
        default=["head", "worker"], min_length=1, description="Nodes it runs on."
    )


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
    entra_users: dict[str, EntraUser] = Field(
        default={}, description="Entra users of the gateway in place of user and password; for the cluster's life."
    )
    access: Literal["direct", "ssh"] = Field(
        default="direct", description="How this machine reaches the nodes: directly, or by an SSH tunnel."
    )
    zone: Zone | None = Field(default=None, description="Availability zone of all nodes; fixed at creation.")
    network: Network = Field(default=Network(), description="Connection and private link; fixed at creation.")
    encryption: Encryption = Field(default=Encryption(), description="Encryption; fixed at creation.")
    tls: Literal["1.2"] = Field(default="1.2", description="Lowest TLS version of the gateway.")
    security: SecurityProfile | None = Field(default=None, description="Enterprise Security Package and Ranger.")
    scripts: dict[str, Script] = Field(default={}, description="Script actions by name; they run in this order.")
    tags: dict[str, str] = Field(default={}, description="Tags on the cluster, on top of azure.tags.")


class RestProxy(Part):
    """Kafka REST proxy, on two management nodes of its own; fixed at creation."""

    group: Word = Field(description="Name of the Entra security group that may use it.")
    group_id: str = Field(description="Object id (a GUID) of that group.")
    size: str = Field(default="Standard_E8_v3", description="VM size of the two management nodes.")


class KafkaCluster(Cluster):
    """A Kafka cluster."""

    kind: Literal["kafka"] = Field(description="What the cluster runs: kafka or spark.")
    kafka: str = Field(default="3.2", description="Kafka version, major.minor.")
    workers: KafkaWorkers = Field(default=KafkaWorkers(), description="The brokers.")
    rest_proxy: RestProxy | None = Field(default=None, description="Kafka REST proxy.")
    local: Local = Field(default=Local(), description="How the cluster looks on the targets local and docker.")
    bootstrap: list[str] = Field(default=[], description="Brokers, host:port, when they are reached directly.")
    proxy: str | None = Field(default=None, description="SOCKS proxy to the brokers, socks5h://host:port.")
    cluster_id: str | None = Field(default=None, description="Kafka's cluster id; no other cluster is ever touched.")


class ScheduledCount(Part):
    """A number of workers from a time of day on."""

    days: list[Weekday] = Field(min_length=1, description="Days of the week.")
    at: Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")] = Field(description="Time of day, HH:MM.")
    workers: PositiveInt = Field(description="Workers from then on, within `min` and `max`.")


class Autoscale(Part):
    """Autoscale of Spark workers: by load, or by a schedule where there is one."""

    min: PositiveInt = Field(description="Never fewer workers than this.")
    max: PositiveInt = Field(description="Never more workers than this.")
    timezone: str = Field(default="UTC", description="Time zone of the schedule, by its Windows name.")
    schedule: dict[str, ScheduledCount] = Field(
        default={}, description="Numbers of workers from a day and time on, each under a name."
    )


class SparkCluster(Cluster):
    """A Spark cluster."""

    kind: Literal["spark"] = Field(description="What the cluster runs: kafka or spark.")
    spark: str = Field(default="3.3", description="Spark version, major.minor.")
    workers: SparkWorkers = Field(default=SparkWorkers(), description="The worker nodes.")
    autoscale: Autoscale | None = Field(default=None, description="Autoscale of the workers.")


AnyCluster = Annotated[KafkaCluster | SparkCluster, Field(discriminator="kind")]
