"""More (or, for Spark, fewer) workers of a living cluster, waited for until they are of use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hdictl.errors import (
    KafkaUnreachable,
    NotRunning,
    PermissionMissing,
    TargetUnsupported,
    UsageError,
)
from hdictl.plan.cloud import CloudCluster, present
from hdictl.plan.scaled import Scaled
from hdictl.ports.cloud import CloudReader
from hdictl.ports.progress import Progress, Row
from hdictl.ports.target import Target
from hdictl.stack.clusters import KafkaCluster, SparkCluster
from hdictl.stack.model import Stack
from hdictl.stack.vm_sizes import vm_size
from hdictl.workflow.cloud.wait import Watch, goes_on
from hdictl.workflow.observe import OUT_OF_SIGHT


def require_growth(stack: Stack, key: str, count: int, living: int | None = None) -> None:
    """Kafka never scales in; that is known before anybody is asked."""
    cluster = stack.clusters[key]
    most = max(cluster.workers.count, living or 0)
    if isinstance(cluster, KafkaCluster) and count < most:
        raise UsageError(
            f"Kafka cannot scale in: `{key}` has {most} brokers, {count} are asked for",
            fix="brokers hold data, and HDInsight refuses; make a smaller cluster beside it and move the topics",
        )


def _require_free_hand(stack: Stack, key: str) -> None:
    cluster = stack.clusters[key]
    if isinstance(cluster, SparkCluster) and cluster.autoscale is not None:
        raise UsageError(
            f"autoscale moves the workers of `{key}` between {cluster.autoscale.min} and {cluster.autoscale.max}",
            fix=f"change clusters.{key}.autoscale in the stack, then: hdictl apply --target azure",
        )


def scale_cluster(stack: Stack, target: Target, key: str, count: int, progress: Progress) -> Scaled:
    """Resize, wait for the service, then for Kafka. After a kill, the same command goes on where things stand."""
    require_growth(stack, key, count)
    _require_free_hand(stack, key)
    infrastructure = target.infrastructure()
    if infrastructure is None:
        raise TargetUnsupported(f"cluster `{key}` is only reached here, not made", fix="scale it where it is made")
    with infrastructure.cloud() as cloud:
        watch = Watch(cloud, progress, infrastructure.poll_seconds)
        watch.until_quiet(stack)
        name = stack.azure_name(key)
        living = _running(present(name, cloud.cluster(name)))
        require_growth(stack, key, count, living.workers)
        known = _brokers(stack, target, key, progress)
        if count != living.workers:
            _require_room(cloud, living, count, progress)
            watch.done(cloud.resize(name, count), name, f"resize from {living.workers} to {count}")
            progress.step(f"{name}: HDInsight has {count} workers")
        seen = _joined(target, key, count, watch) if known is not None else None
    new = tuple(sorted(set(seen or ()) - set(known or ())))
    stated = stack.clusters[key].workers.count
    return Scaled(key, name, living.workers, count, seen, new, stated)


def _running(cluster: CloudCluster) -> CloudCluster:
    if not cluster.is_running:
        raise NotRunning(
            f"cluster `{cluster.name}` is in state {cluster.state}", fix="see hdictl status --target azure"
        )
    return cluster


def _require_room(cloud: CloudReader, living: CloudCluster, count: int, progress: Progress) -> None:
    """Cores of the quota, and addresses of the subnet."""
    more = count - living.workers
    if more <= 0:
        return
    worker = living.role("workernode") or {}
    size = vm_size(str((worker.get("hardwareProfile") or {}).get("vmSize")))
    try:
        usage = cloud.usages(living.location).get("cores")
        if usage is not None and size is not None and more * size.cores > usage.free:
            raise UsageError(
                f"{more * size.cores} more cores are needed in {living.location}; "
                f"{usage.free} of {usage.limit} are free",
                fix="ask for more quota (portal: Quotas, HDInsight)",
            )
        _require_addresses(cloud, worker, more)
    except PermissionMissing as error:
        progress.step(f"quota and addresses were not looked at: {error.what}")


def _require_addresses(cloud: CloudReader, worker: Mapping[str, Any], more: int) -> None:
    network = worker.get("virtualNetworkProfile") or {}
    subnet = str(network.get("subnet") or "").rpartition("/")[2]
    free = cloud.free_addresses(str(network["id"])).get(subnet) if network.get("id") else None
    if free is not None and free < more:
        raise UsageError(
            f"subnet `{subnet}` has {free} free addresses, {more} are needed",
            fix="HDInsight cannot move a cluster to a larger subnet: make a new cluster beside it",
        )


def _brokers(stack: Stack, target: Target, key: str, progress: Progress) -> tuple[int, ...] | None:
    """Those that Kafka knows, when it can be asked from here."""
    if not isinstance(stack.clusters[key], KafkaCluster):
        return None
    try:
        with target.reader(key) as reader:
            return tuple(broker.id for broker in reader.observe().brokers)
    except OUT_OF_SIGHT as error:
        progress.step(f"Kafka cannot be asked from here ({error.what}): only HDInsight is waited for")
        return None


def _joined(target: Target, key: str, count: int, watch: Watch) -> tuple[int, ...]:
    """Until Kafka itself has as many brokers; that none answers for a moment is no trouble."""
    with goes_on("the new brokers start without this"), watch.progress.board() as board:

        def look() -> tuple[int, ...] | None:
            try:
                with target.reader(key) as reader:
                    seen = tuple(sorted(broker.id for broker in reader.observe().brokers))
            except KafkaUnreachable:
                return None
            is_whole = len(seen) >= count
            board.show([Row(f"brokers of {key}", f"{len(seen)} of {count}", is_done=is_whole)])
            return seen if is_whole else None

        return watch.until(f"the start of new brokers of {key}", look)
