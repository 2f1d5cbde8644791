"""Which rules a placement does not keep, and why."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hdictl.rebalance.domains import Known
from hdictl.rebalance.measure import FairLoad, Placement, loads
from hdictl.rebalance.plan import Load, Violation
from hdictl.rebalance.snapshot import Broker, Partition, Snapshot
from hdictl.rebalance.spread import Rule, full_spread
from hdictl.stack.units import rounded_size

_NEARLY = 1e-6


def domain_violations(
    partitions: Iterable[Partition],
    placement: Placement,
    brokers: Sequence[Broker],
    rules: Mapping[int, Rule],
    known: Known,
) -> tuple[Violation, ...]:
    """Partitions in fewer fault or update domains than they could be in on this many."""
    fd, ud = {b.id: b.fd for b in brokers}, {b.id: b.ud for b in brokers}
    all_fd, all_ud = len(set(fd.values())), len(set(ud.values()))
    found = []
    for partition in partitions:
        held = [broker for broker in placement[partition.key] if broker in fd]
        rule = rules.get(len(placement[partition.key]))
        where = f"{partition.topic}/{partition.partition}"
        for kind, is_known, domain_of, domains, why in (
            ("fd", known.has_fd, fd, all_fd, rule.fd_reason if rule else None),
            ("ud", known.has_ud, ud, all_ud, rule.ud_reason if rule else None),
        ):
            used = len({domain_of[broker] for broker in held})
            wanted = full_spread(len(placement[partition.key]), domains)
            if is_known and used < wanted:
                name = "fault" if kind == "fd" else "update"
                reason = f"its replicas are in {used} of {wanted} {name} domains" + (f": {why}" if why else "")
                found.append(Violation("fd" if kind == "fd" else "ud", where, reason))
    return tuple(found)


@dataclass(frozen=True)
class BytesWindow:
    """How far bytes may be from the fair share, and why they cannot always be that near."""

    width: float  # as a part of it
    too_large: tuple[Partition, ...]  # partitions that fit into none
    otherwise: str  # why a broker without one of these is out of it


def window_violations(
    snapshot: Snapshot, placement: Placement, fair: FairLoad, window: BytesWindow | None
) -> Iterator[Violation]:
    """Brokers, and topics on brokers, that are more than one from their fair share; bytes outside their window."""
    seen, nothing = loads(snapshot.partitions, placement), Load(0, 0, 0)
    for id, share in fair.replicas.items():
        load, leaders, size = seen.get(id, nothing), fair.leaders[id], fair.bytes[id]
        if abs(load.replicas - share) >= 1 + _NEARLY:
            yield _off("replicas", id, f"{load.replicas} replicas, its fair share is {share:.1f}")
        if abs(load.leaders - leaders) >= 1 + _NEARLY:
            reason = f"{load.leaders} leaders, its fair share is {leaders:.1f}: its replicas allow no more"
            yield _off("leaders", id, reason)
        if window is not None and abs(load.bytes - size) > window.width * size * (1 + _NEARLY) + 1:
            why = _too_large_on(id, placement, window.too_large) or window.otherwise
            yield _off("bytes", id, f"{rounded_size(load.bytes)}, its fair share is {rounded_size(size)}: {why}")
    yield from _topic_violations(snapshot, placement, fair)


def _topic_violations(snapshot: Snapshot, placement: Placement, fair: FairLoad) -> Iterator[Violation]:
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    for partition in snapshot.partitions:
        counts[partition.topic].update(placement[partition.key])
    for topic, shares in fair.topics.items():
        for id, share in shares.items():
            if abs(counts[topic][id] - share) >= 1 + _NEARLY:
                reason = f"{counts[topic][id]} replicas, a fair share is {share:.1f}"
                yield Violation("topic", f"{topic} on {id}", reason)


def _off(rule: str, broker: int, reason: str) -> Violation:
    return Violation(rule, f"broker {broker}", reason)  # type: ignore[arg-type]


def _too_large_on(broker: int, placement: Placement, too_large: Iterable[Partition]) -> str:
    held = [partition for partition in too_large if broker in placement[partition.key]]
    names = " and ".join(f"{p.topic}/{p.partition} ({rounded_size(p.size)})" for p in held)
    return f"it holds {names}, which no window takes" if held else ""
