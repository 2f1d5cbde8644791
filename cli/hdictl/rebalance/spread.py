"""How the replicas of one partition have to lie over fault and update domains.

With as many domains as replicas or more, each replica has one of its own; with fewer, they are dealt out evenly. Where
brokers do not allow that, the rule is loosened step by step, update domains first, until one set of brokers keeps it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

from hdictl.errors import CannotPlace
from hdictl.rebalance.snapshot import Broker

Cell = tuple[int, int]  # fault domain, update domain: brokers of one cell are alike
Pattern = Mapping[Cell, int]  # how many replicas in which cell

# Beyond this, sets of cells are not listed; the rules are then taken as they are.
_MOST_PATTERNS = 300_000


@dataclass(frozen=True)
class Range:
    lower: int
    upper: int

    def holds(self, value: int) -> bool:
        return self.lower <= value <= self.upper


@dataclass(frozen=True)
class Rule:
    """For partitions of one replication factor."""

    replication: int
    fd: Mapping[int, Range]
    ud: Mapping[int, Range]
    ud_distinct: int  # update domains that must be used
    fd_reason: str | None  # why not every partition can have its full spread
    ud_reason: str | None
    patterns: tuple[Pattern, ...] | None  # every set of cells that keeps the rule; None: too many to list

    def holds(self, pattern: Pattern) -> bool:
        by_fd, by_ud = _per_domain(pattern)
        return (
            all(rule.holds(by_fd[domain]) for domain, rule in self.fd.items())
            and all(rule.holds(by_ud[domain]) for domain, rule in self.ud.items())
            and len([1 for count in by_ud.values() if count]) >= self.ud_distinct
        )


def cells_of(brokers: Sequence[Broker]) -> Counter[Cell]:
    return Counter((broker.fd or 0, broker.ud or 0) for broker in brokers)


def full_spread(replication: int, domains: int) -> int:
    """In how many domains a partition's replicas can be at most."""
    return min(replication, domains)


def rule_for(replication: int, brokers: Sequence[Broker]) -> Rule:
    """The strictest rule that some set of these brokers keeps."""
    if replication > len(brokers):
        raise CannotPlace(
            f"{replication} replicas need as many brokers; there are {len(brokers)}",
            fix="add brokers, or lower the replication factor",
        )
    cells = cells_of(brokers)
    fds, uds = Counter(cell[0] for cell in cells.elements()), Counter(cell[1] for cell in cells.elements())
    listed = _listed(cells, replication)
    for fd_loose in range(replication + 1):
        fd = _ranges(replication, fds, fd_loose)
        for ud_loose in range(replication + 1):
            ud = _ranges(replication, uds, ud_loose)
            for distinct in range(full_spread(replication, len(uds)), 0, -1) if ud_loose else (1,):
                rule = Rule(
                    replication, fd, ud, distinct, _reason("fault", fd_loose), _reason("update", ud_loose), None
                )
                if listed is None:
                    return rule
                kept = tuple(pattern for pattern in listed if rule.holds(pattern))
                if kept:
                    return Rule(replication, fd, ud, distinct, rule.fd_reason, rule.ud_reason, kept)
    raise AssertionError("any set of brokers keeps a rule that is loose enough")


def _reason(kind: str, loose: int) -> str | None:
    return f"no set of these brokers has {kind} domains enough" if loose else None


def _ranges(replication: int, sizes: Mapping[int, int], loose: int) -> dict[int, Range]:
    low, rest = divmod(replication, len(sizes))
    high = low + (rest > 0)
    return {
        domain: Range(max(0, min(low, size) - loose), min(high + loose, size)) for domain, size in sorted(sizes.items())
    }


def _listed(cells: Mapping[Cell, int], replication: int) -> list[Pattern] | None:
    count = 1
    for number in range(replication):  # the number of multisets
        count = count * (len(cells) + number) // (number + 1)
    return None if count > _MOST_PATTERNS else list(_patterns(cells, replication))


def _patterns(cells: Mapping[Cell, int], replication: int) -> Iterator[Pattern]:
    for chosen in combinations_with_replacement(sorted(cells), replication):
        pattern = Counter(chosen)
        if all(count <= cells[cell] for cell, count in pattern.items()):
            yield pattern


def _per_domain(pattern: Pattern) -> tuple[Counter[int], Counter[int]]:
    by_fd: Counter[int] = Counter()
    by_ud: Counter[int] = Counter()
    for (fd, ud), count in pattern.items():
        by_fd[fd] += count
        by_ud[ud] += count
    return by_fd, by_ud
