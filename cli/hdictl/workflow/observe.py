"""Look at the living clusters of a stack."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hdictl.errors import AmbariFailed, KafkaUnreachable, SecretMissing, TargetUnsupported, TunnelFailed
from hdictl.plan.observed import ObservedCluster
from hdictl.ports.progress import Progress, Silent
from hdictl.ports.target import Target
from hdictl.rebalance.placement import with_domains
from hdictl.rebalance.snapshot import Broker

SILENT = Silent()
# The ways in which Kafka is there and cannot be asked from here.
OUT_OF_SIGHT = (KafkaUnreachable, AmbariFailed, SecretMissing, TunnelFailed, TargetUnsupported)


def observe(
    target: Target, clusters: Iterable[str], progress: Progress = SILENT
) -> tuple[tuple[ObservedCluster, ...], tuple[str, ...]]:
    """Each cluster as it is, with the domains of its brokers, and what is not known about those."""
    seen, warnings = [], []
    for cluster in clusters:
        with target.reader(cluster) as reader:
            observed = reader.observe()
        domains = target.domains(cluster, observed.brokers, progress)
        brokers, warning = with_domains(observed.brokers, domains.known)
        seen.append(replace(observed, brokers=brokers))
        if warning:
            why = f" ({domains.warning})" if domains.warning else ""
            warnings.append(f"cluster:{cluster}: {warning}{why}")
    return tuple(seen), tuple(warnings)


def snapshot_brokers(
    target: Target, cluster: str, progress: Progress = SILENT
) -> tuple[tuple[Broker, ...], tuple[str, ...]]:
    """Living brokers as a snapshot has them, with domains, rack and room; and what is not known of their domains.

    Nothing takes the place of a domain that is unknown: the planner decides what to do without.
    """
    with target.reader(cluster) as reader:
        living = reader.observe().brokers
    domains, free = target.domains(cluster, living, progress), target.free_bytes(cluster)
    unknown = (None, None)
    brokers = tuple(
        Broker(each.id, *domains.known.get(each.id, unknown), rack=each.rack, free=free.get(each.id)) for each in living
    )
    return brokers, (domains.warning,) if domains.warning else ()
