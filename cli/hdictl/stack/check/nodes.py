"""C: the nodes of a cluster: how many, how big, and how they look on a laptop."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hdictl.stack.check.context import Context, is_known
from hdictl.stack.check.registry import ERROR, WARNING, Problem, rule
from hdictl.stack.model import AnyCluster, SparkCluster
from hdictl.stack.source import Path
from hdictl.stack.suggest import did_you_mean
from hdictl.stack.vm_sizes import DEFAULT_HEAD, Role, VmSize, sizes_for, vm_size

FIRST_BROKER_ID = 1001
_DISKS_A_BROKER = 16  # of 1 TB: 16 TB a broker
_BIG_CLUSTER = 32
_HOST_PORT = re.compile(r"(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:]+\]):([0-9]{1,5})\Z")
_PROXY = re.compile(r"socks5h?://(?:[^@/\s]+@)?[A-Za-z0-9._-]+:([0-9]{1,5})/?\Z")
_BILLING_SPECS = "HDInsight billingSpecs (East US)"


def _sizes(key: str, cluster: AnyCluster) -> Iterator[tuple[Role, Path, str]]:
    """Every size that the stack names for a cluster."""
    if cluster.head:
        yield Role.HEAD, ("clusters", key, "head", "size"), cluster.head.size
    if cluster.zookeeper:
        yield Role.ZOOKEEPER, ("clusters", key, "zookeeper", "size"), cluster.zookeeper.size
    yield Role.WORKER, ("clusters", key, "workers", "size"), cluster.workers.size


def _all_sizes(context: Context) -> Iterator[tuple[str, Role, Path, str]]:
    for key, cluster in context.stack.clusters.items():
        for role, path, size in _sizes(key, cluster):
            if is_known(size):
                yield key, role, path, size


def _most_workers(cluster: AnyCluster) -> int:
    autoscale = cluster.autoscale if isinstance(cluster, SparkCluster) else None
    return max(cluster.workers.count, autoscale.max if autoscale else 0)


def _has_port(match: re.Match[str] | None) -> bool:
    return match is not None and 1 <= int(match[1]) <= 65535


@rule(
    "C001",
    ERROR,
    "A Kafka cluster has at least three brokers",
    why="Three replicas need three brokers; with fewer, one failure stops writes or loses data. Kafka cannot scale in, "
    "and HDInsight's portal begins with four.",
    fix="Set `workers.count` to 3 or more.",
    source="Microsoft Learn: apache-kafka-get-started",
)
def three_brokers(context: Context) -> Iterator[Problem]:
    for key, cluster in context.kafka():
        if cluster.workers.count < 3:
            yield Problem(
                f"cluster:{key}",
                ("clusters", key, "workers", "count"),
                f"cluster `{key}` has {cluster.workers.count} of the 3 brokers that it needs to survive a failure",
                "set workers.count to 3 or more",
            )


@rule(
    "C002",
    ERROR,
    "Every VM size is one that HDInsight offers",
    why="A size that the service does not know is an InvalidDocumentErrorCode when the deployment is under way; the "
    "original A series was retired in August 2024.",
    fix="Take the suggested size; one that is newer than this list can be waived.",
    source=_BILLING_SPECS,
)
def known_size(context: Context) -> Iterator[Problem]:
    for key, role, path, size in _all_sizes(context):
        if vm_size(size) is None:
            yield Problem(
                f"cluster:{key}",
                path,
                f"`{size[:60]}` is not a VM size of HDInsight{did_you_mean(size[:60], sizes_for(role))}",
                "take one such as Standard_E4_v3, Standard_E8_v3 or Standard_D13_v2",
            )


@rule(
    "C003",
    ERROR,
    "Every VM size is offered for the role it has",
    why="HDInsight offers sizes by role: F sizes for workers only, Standard_A2_v2 for ZooKeeper only.",
    fix="Take a size that is offered for that role.",
    source=_BILLING_SPECS,
)
def size_for_role(context: Context) -> Iterator[Problem]:
    for key, role, path, size in _all_sizes(context):
        found = vm_size(size)
        if found and role not in found.roles:
            offered = " and ".join(sorted(other.value for other in found.roles))
            yield Problem(
                f"cluster:{key}",
                path,
                f"{found.name} is offered for {offered} nodes, not for {role.value} nodes",
                "take one such as Standard_E4_v3 or Standard_E8_v3",
            )


@rule(
    "C004",
    WARNING,
    "VM sizes are spelt as Azure spells them",
    why="Azure does not mind case, people who search for a size do.",
    fix="Take the suggested spelling.",
    source=_BILLING_SPECS,
)
def size_spelling(context: Context) -> Iterator[Problem]:
    for key, _, path, size in _all_sizes(context):
        found = vm_size(size)
        if found and found.name != size:
            yield Problem(f"cluster:{key}", path, f"`{size}` is spelt `{found.name}`", f"write {found.name}")


@rule(
    "C005",
    ERROR,
    "A broker has no more disks than its size takes, and at most 16",
    why="Each disk is 1 TB and HDInsight allows 16 TB a broker; the size sets a lower cap (maxDataDiskCount). Disks "
    "cannot be added later.",
    fix="Lower `workers.disks`, or take a bigger size.",
    source=f"{_BILLING_SPECS}; Microsoft Learn: apache-kafka-scalability",
)
def disks(context: Context) -> Iterator[Problem]:
    for key, cluster in context.kafka():
        size = vm_size(cluster.workers.size)
        most = min(_DISKS_A_BROKER, size.max_disks if size else _DISKS_A_BROKER)
        if cluster.workers.disks > most:
            of_what = f"{size.name} takes {most}" if size and most < _DISKS_A_BROKER else "a broker has at most 16"
            yield Problem(
                f"cluster:{key}",
                ("clusters", key, "workers", "disks"),
                f"{cluster.workers.disks} disks a broker are too many: {of_what}",
                f"set disks to {most} or fewer, or take a bigger size",
            )


def _head_size(cluster: AnyCluster) -> VmSize | None:
    return vm_size(cluster.head.size if cluster.head else DEFAULT_HEAD[cluster.kind])


@rule(
    "C006",
    ERROR,
    "More than 32 workers have head nodes of at least 8 cores and 14 GB",
    why="Ambari and the resource manager on smaller head nodes cannot carry more workers; HDInsight refuses them.",
    fix="Set `head.size` to Standard_E8_v3 or bigger.",
    source="Microsoft Learn: hdinsight-hadoop-provision-linux-clusters",
)
def big_head(context: Context) -> Iterator[Problem]:
    for key, cluster in context.stack.clusters.items():
        head = _head_size(cluster)
        most = _most_workers(cluster)
        if most > _BIG_CLUSTER and head and (head.cores < 8 or head.memory < 14):
            yield Problem(
                f"cluster:{key}",
                ("clusters", key, "head", "size") if cluster.head else ("clusters", key),
                f"cluster `{key}` may have {most} workers, too many for head nodes of {head.name} ({head.cores} cores)",
                "set head.size to Standard_E8_v3 or bigger",
            )


@rule(
    "C007",
    ERROR,
    "Autoscale has room between its bounds",
    why="The service refuses a minimum above the maximum, and moves a count outside the bounds at once.",
    fix="Keep min ≤ workers.count ≤ max.",
    source="Microsoft Learn: hdinsight-autoscale-clusters",
)
def autoscale_bounds(context: Context) -> Iterator[Problem]:
    for key, cluster in context.spark():
        scale = cluster.autoscale
        path = ("clusters", key, "autoscale")
        if scale and scale.min > scale.max:
            yield Problem(
                f"cluster:{key}", path, f"autoscale.min {scale.min} is above autoscale.max {scale.max}", "swap them"
            )
        elif scale and not scale.min <= cluster.workers.count <= scale.max:
            yield Problem(
                f"cluster:{key}",
                path,
                f"workers.count {cluster.workers.count} is outside autoscale's {scale.min}–{scale.max}",
                "set workers.count to where the cluster shall begin, between the two",
            )


@rule(
    "C008",
    WARNING,
    "Autoscale never goes below three workers",
    why="With fewer than three workers HDFS cannot keep its replicas and may get stuck in safe mode.",
    fix="Set `autoscale.min` to 3 or more.",
    source="Microsoft Learn: hdinsight-autoscale-clusters",
)
def autoscale_minimum(context: Context) -> Iterator[Problem]:
    for key, cluster in context.spark():
        if cluster.autoscale and cluster.autoscale.min < 3:
            yield Problem(
                f"cluster:{key}",
                ("clusters", key, "autoscale", "min"),
                f"autoscale may leave cluster `{key}` with {cluster.autoscale.min} workers",
                "set autoscale.min to 3 or more",
            )


@rule(
    "C009",
    ERROR,
    "Encryption at host has sizes that support it",
    why="Only some families do (D*a_v4, D*ads_v5, DS*_v2, E*a_v4, E*ads_v5); Standard_E4_v3 and Standard_E8_v3, the "
    "defaults, do not.",
    fix="Take a size such as Standard_E8a_v4 for every role, or leave `at_host` out.",
    source=f"{_BILLING_SPECS}: vmSizesWithEncryptionAtHost",
)
def at_host(context: Context) -> Iterator[Problem]:
    for key, cluster in context.stack.clusters.items():
        named = {role: size for role, _, size in _sizes(key, cluster) if is_known(size)}
        if not cluster.encryption.at_host:
            continue
        named.setdefault(Role.HEAD, DEFAULT_HEAD[cluster.kind])
        lacking = sorted({size.name for size in map(vm_size, named.values()) if size and not size.can_encrypt_at_host})
        if lacking:
            yield Problem(
                f"cluster:{key}",
                ("clusters", key, "encryption", "at_host"),
                f"{', '.join(lacking)} cannot encrypt at host",
                "take sizes such as Standard_E8a_v4 or Standard_E8ads_v5 for head and workers",
            )


@rule(
    "C010",
    ERROR,
    "A cluster in a zone has a VNet of its own",
    why="HDInsight puts a cluster into an availability zone only in a VNet that you bring.",
    fix="Add the region to `network`, or leave `zone` out.",
    source="Microsoft Learn: hdinsight-use-availability-zones",
)
def zone(context: Context) -> Iterator[Problem]:
    for key, cluster in context.stack.clusters.items():
        region = context.location(cluster)
        if cluster.zone and region and region not in context.stack.network and not context.is_cut("network", region):
            yield Problem(
                f"cluster:{key}",
                ("clusters", key, "zone"),
                f"cluster `{key}` is in zone {cluster.zone}, and there is no network in {region}",
                f"add `network: {{{region}: …}}`, or leave zone out",
            )


@rule(
    "C011",
    WARNING,
    "Domains are given for brokers that exist",
    why="Brokers are numbered from 1001; domains of a broker that does not exist have no effect.",
    fix="Use ids from 1001 to 1000 + the number of brokers.",
    source="hdictl: local and docker targets",
)
def domains(context: Context) -> Iterator[Problem]:
    for key, cluster in context.kafka():
        most = max(cluster.workers.count, cluster.local.brokers or 0)
        for broker in cluster.local.domains:
            if not FIRST_BROKER_ID <= broker < FIRST_BROKER_ID + most:
                yield Problem(
                    f"cluster:{key}",
                    ("clusters", key, "local", "domains", str(broker)),
                    f"cluster `{key}` has no broker {broker}",
                    f"brokers are {FIRST_BROKER_ID} to {FIRST_BROKER_ID + most - 1}",
                )


@rule(
    "C012",
    ERROR,
    "Broker and proxy addresses have the form that clients take",
    why="A client that is given something else fails with a message about DNS.",
    fix="Write host:9092, and socks5h://host:port for a proxy.",
    source="Apache Kafka: bootstrap.servers",
)
def addresses(context: Context) -> Iterator[Problem]:
    for key, cluster in context.kafka():
        for index, server in enumerate(cluster.bootstrap):
            if is_known(server) and not _has_port(_HOST_PORT.match(server)):
                yield Problem(
                    f"cluster:{key}",
                    ("clusters", key, "bootstrap", index),
                    f"`{server[:80]}` is not host:port",
                    "write it as wn0-kafka.example.com:9092",
                )
        proxy = cluster.proxy
        if proxy is not None and is_known(proxy) and not _has_port(_PROXY.match(proxy)):
            yield Problem(
                f"cluster:{key}",
                ("clusters", key, "proxy"),
                f"the proxy of cluster `{key}` is not socks5h://host:port",
                "write it as socks5h://127.0.0.1:9876",
            )


@rule(
    "C013",
    WARNING,
    "The cap on local brokers lies within the number of workers",
    why="`local.brokers` is a cap: a laptop runs at most as many brokers as the cluster has workers.",
    fix="Lower `local.brokers`, or raise `workers.count`.",
    source="hdictl: local and docker targets",
)
def local_cap(context: Context) -> Iterator[Problem]:
    for key, cluster in context.kafka():
        if cluster.local.brokers is not None and cluster.local.brokers > cluster.workers.count:
            yield Problem(
                f"cluster:{key}",
                ("clusters", key, "local", "brokers"),
                f"local.brokers {cluster.local.brokers} is more than workers.count {cluster.workers.count}, "
                "which is what will run",
                "lower it, or raise workers.count",
            )
