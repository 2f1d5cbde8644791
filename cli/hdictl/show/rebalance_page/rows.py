"""Brokers in the order in which every picture has them: by fault domain, then update domain."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from hdictl.rebalance.plan import BrokerChange, RebalancePlan
from hdictl.show.rebalance_page.markup import text

_LAST = 1 << 30  # what is unknown comes last


def domain(number: int | None) -> str:
    return "?" if number is None else text(number)


def in_order(brokers: Iterable[BrokerChange]) -> list[BrokerChange]:
    return sorted(brokers, key=lambda change: (*_place(change), change.broker.id))


def _place(change: BrokerChange) -> tuple[int, int]:
    fd, ud = change.broker.fd, change.broker.ud
    return (_LAST if fd is None else fd, _LAST if ud is None else ud)


def by_fault_domain(plan: RebalancePlan) -> list[tuple[int | None, list[BrokerChange]]]:
    groups = groupby(in_order(plan.brokers), key=lambda change: change.broker.fd)
    return [(fd, list(members)) for fd, members in groups]
