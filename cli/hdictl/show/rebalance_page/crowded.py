"""Which domains the partitions that break a rule crowd into."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from hdictl.rebalance.plan import RebalancePlan, Violation
from hdictl.rebalance.snapshot import PartitionKey


def crowded(plan: RebalancePlan, rule: str) -> dict[int | None, tuple[int, int]]:
    """Domain → partitions, before and after, that break the rule `fd` or `ud` with more than one replica in it."""
    brokers = [change.broker for change in plan.brokers]
    domains = {broker.id: broker.fd if rule == "fd" else broker.ud for broker in brokers}
    before = _counted(rule, plan.violations_before, plan.original, domains)
    after = _counted(rule, plan.violations, plan.placement, domains)
    return {domain: (before[domain], after[domain]) for domain in {*before, *after}}


def _counted(
    rule: str,
    violations: Iterable[Violation],
    placement: Mapping[PartitionKey, tuple[int, ...]],
    domains: Mapping[int, int | None],
) -> Counter[int | None]:
    broken = {violation.where for violation in violations if violation.rule == rule}
    found: Counter[int | None] = Counter()
    for (topic, partition), replicas in placement.items():
        if f"{topic}/{partition}" in broken:
            held = Counter(domains.get(broker) for broker in replicas)
            found.update(domain for domain, count in held.items() if count > 1)
    return found
