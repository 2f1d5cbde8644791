"""C: the nodes of a cluster: how many, and with how many disks."""

from __future__ import annotations

from collections.abc import Iterator

from hdictl.stack.check.context import Context, most_workers
from hdictl.stack.check.registry import ERROR, Problem, rule
from hdictl.stack.clusters import AnyCluster
from hdictl.stack.vm_sizes import DEFAULT_HEAD, VmSize, vm_size

_DISKS_A_BROKER = 16  # of 1 TB: 16 TB a broker
_BIG_CLUSTER = 32


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
    "C005",
    ERROR,
    "A broker has no more disks than its size takes, and at most 16",
    why="Each disk is 1 TB and HDInsight allows 16 TB a broker; the size sets a lower cap (maxDataDiskCount). Disks "
    "cannot be added later.",
    fix="Lower `workers.disks`, or take a bigger size.",
    source="HDInsight billingSpecs (East US); Microsoft Learn: apache-kafka-scalability",
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
        most = most_workers(cluster)
        if most > _BIG_CLUSTER and head and (head.cores < 8 or head.memory < 14):
            yield Problem(
                f"cluster:{key}",
                ("clusters", key, "head", "size") if cluster.head else ("clusters", key),
                f"cluster `{key}` may have {most} workers, too many for head nodes of {head.name} ({head.cores} cores)",
                "set head.size to Standard_E8_v3 or bigger",
            )
