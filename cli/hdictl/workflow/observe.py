"""Look at the living clusters of a stack."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hdictl.errors import AmbariFailed, KafkaUnreachable, SecretMissing, TargetUnsupported, TunnelFailed
from hdictl.plan.observed import ObservedCluster
from hdictl.ports.target import Target
from hdictl.rebalance.placement import with_domains

# The ways in which Kafka is there and cannot be asked from here.
OUT_OF_SIGHT = (KafkaUnreachable, AmbariFailed, SecretMissing, TunnelFailed, TargetUnsupported)


def observe(target: Target, clusters: Iterable[str]) -> tuple[tuple[ObservedCluster, ...], tuple[str, ...]]:
    """Each cluster as it is, and what is not known about its domains."""
    seen, warnings = [], []
    for cluster in clusters:
        with target.reader(cluster) as reader:
            observed = reader.observe()
        brokers, warning = with_domains(observed.brokers, target.endpoint(cluster).domains)
        seen.append(replace(observed, brokers=brokers))
        if warning:
            warnings.append(f"cluster:{cluster}: {warning}")
    return tuple(seen), tuple(warnings)
