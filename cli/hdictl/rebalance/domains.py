"""Which domains a plan spreads replicas over: the topology's, else racks, else none, and never silently."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hdictl.errors import DomainsUnknown
from hdictl.rebalance.snapshot import Broker

_RACKS_ONLY = "update domains are unknown: replicas are spread over fault domains and brokers only"


@dataclass(frozen=True)
class Known:
    """Brokers whose `fd` and `ud` are both set. What is unknown is one domain for all, so that no rule comes of it."""

    brokers: tuple[Broker, ...]
    notes: tuple[str, ...]
    has_fd: bool
    has_ud: bool


def known_domains(brokers: Sequence[Broker], *, no_domains: bool) -> Known:
    if no_domains:
        note = "--no-domains: replicas are spread over brokers, and two of a partition may share a fault domain"
        return Known(_alike(brokers), (note,), has_fd=False, has_ud=False)
    if all(broker.fd is not None for broker in brokers):
        if all(broker.ud is not None for broker in brokers):
            return Known(tuple(brokers), (), has_fd=True, has_ud=True)
        return Known(tuple(replace(b, ud=0) for b in brokers), (_RACKS_ONLY,), has_fd=True, has_ud=False)
    if all(broker.rack for broker in brokers):
        numbers = {rack: number for number, rack in enumerate(sorted({str(b.rack) for b in brokers}))}
        by_rack = tuple(replace(b, fd=numbers[str(b.rack)], ud=0) for b in brokers)
        note = f"fault and update domains are unknown: replicas are spread over broker.rack ({len(numbers)} racks)"
        return Known(by_rack, (note,), has_fd=True, has_ud=False)
    unknown = [str(broker.id) for broker in brokers if broker.fd is None and not broker.rack]
    shown = ", ".join(unknown[:5]) + (" …" if unknown[5:] else "")
    raise DomainsUnknown(
        f"fault domains of {len(unknown)} of {len(brokers)} brokers are unknown ({shown}), and so is broker.rack",
        fix="put fd and ud into the snapshot, or say --no-domains to spread replicas over brokers only",
    )


def _alike(brokers: Sequence[Broker]) -> tuple[Broker, ...]:
    return tuple(replace(broker, fd=0, ud=0) for broker in brokers)
