"""Start, grow and stop the Kafka clusters that a stack describes, on a platform of this machine."""

from __future__ import annotations

from hdictl.errors import NotRunning, UsageError
from hdictl.ports.machine import BrokerSpec, ClusterStatus, KafkaSpec, Platform
from hdictl.ports.progress import Progress
from hdictl.stack.clusters import KafkaCluster
from hdictl.stack.model import Stack
from hdictl.stack.suggest import did_you_mean
from hdictl.stack.topics import resolved_topics

# Broker ids on HDInsight start here.
FIRST_BROKER = 1001
_VERSIONS = {"3.2": "3.2.0"}


def kafka_specs(stack: Stack) -> tuple[KafkaSpec, ...]:
    """Every Kafka cluster of the stack, as this machine shall run it."""
    topics = resolved_topics(stack)
    return tuple(
        _spec(
            name,
            cluster,
            brokers=min(cluster.workers.count, cluster.local.brokers or cluster.workers.count),
            replicas=sum(topic.partitions * topic.replication for topic in topics if topic.cluster == name),
        )
        for name, cluster in stack.kafka_clusters.items()
    )


def scaled_spec(stack: Stack, name: str, count: int, running: int) -> KafkaSpec:
    """The cluster with `count` brokers; Kafka never scales in."""
    known = {spec.cluster: spec for spec in kafka_specs(stack)}
    if name not in known:
        raise UsageError(
            f"there is no Kafka cluster `{name}`{did_you_mean(name, known)}", fix=f"it is one of {', '.join(known)}"
        )
    if count < running:
        raise UsageError(
            f"Kafka cannot scale in: `{name}` has {running} brokers, {count} are asked for",
            fix="the brokers hold data; take the cluster down and up with fewer, or keep them",
        )
    return _spec(name, stack.kafka_clusters[name], brokers=count, replicas=known[name].partitions)


def bring_up(stack: Stack, platform: Platform, progress: Progress) -> tuple[ClusterStatus, ...]:
    specs = kafka_specs(stack)
    if not specs:
        raise UsageError(
            "the stack has no Kafka cluster", where=f"stack `{stack.stack}`", fix="add one under `clusters`"
        )
    return platform.up(specs, progress)


def scale(
    stack: Stack, platform: Platform, name: str, count: int, progress: Progress
) -> tuple[ClusterStatus, tuple[int, ...]]:
    """The cluster, and the brokers that are new in it."""
    running = {status.cluster: _brokers(status) for status in platform.status()}
    spec = scaled_spec(stack, name, count, len(running.get(name, ())))
    if name not in running:
        raise NotRunning(f"cluster `{name}` is not running", fix="start it: hdictl up")
    grown = next(status for status in platform.up([spec], progress) if status.cluster == name)
    return grown, tuple(sorted(_brokers(grown) - running[name]))


def _brokers(status: ClusterStatus) -> frozenset[int]:
    return frozenset(int(node.name) for node in status.nodes if node.name.isdecimal())


def _spec(name: str, cluster: KafkaCluster, *, brokers: int, replicas: int) -> KafkaSpec:
    return KafkaSpec(
        cluster=name,
        brokers=tuple(_broker(cluster, index) for index in range(brokers)),
        version=_VERSIONS[cluster.kafka],
        port=cluster.local.port,
        partitions=replicas,
        config={key: _text(value) for key, value in cluster.local.config.items()},
    )


def _broker(cluster: KafkaCluster, index: int) -> BrokerSpec:
    """Azure hands out domains in turn; single brokers may be put elsewhere by the stack."""
    broker = FIRST_BROKER + index
    stated = cluster.local.domains.get(broker)
    if stated is not None:
        return BrokerSpec(broker, stated.fd, stated.ud)
    return BrokerSpec(broker, index % cluster.local.fault_domains, index % cluster.local.update_domains)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
