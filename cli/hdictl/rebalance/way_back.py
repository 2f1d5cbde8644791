"""The plan that leads back: from where partitions are now to where they were before a rebalance.

Pure. It goes back by the same way and needs no planner: the bound says what it is, the moves themselves. Both ends are
measured as they are, as the rebalance may have been called off half-way.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from hdictl.errors import DomainsUnknown, PlanStale
from hdictl.rebalance.domains import Known, known_domains
from hdictl.rebalance.leaders import fair_leaders
from hdictl.rebalance.measure import FairLoad, Findings, Placement, measured, per_broker
from hdictl.rebalance.plan import Certificate, RebalancePlan
from hdictl.rebalance.problem import Problem, rules_for
from hdictl.rebalance.snapshot import Partition, Snapshot
from hdictl.rebalance.violations import domain_violations
from hdictl.stack.units import count

_CONSTRAINTS = "every replica goes back where it was"


def way_back(plan: RebalancePlan, snapshot: Snapshot) -> RebalancePlan:
    """Topics that were made since stay where they are; those deleted since are gone."""
    _require_ours(plan, snapshot.partitions)
    placement = {part.key: plan.original.get(part.key, part.replicas) for part in snapshot.partitions}
    back = measured("rollback", replace(snapshot, cluster=plan.cluster), placement, _findings(snapshot, placement))
    return replace(
        back,
        certificate=Certificate(back.moves, back.bytes, _CONSTRAINTS),
        is_replication_change=any(len(step.before) != len(step.after) for step in back.steps),
    )


def _require_ours(plan: RebalancePlan, partitions: Iterable[Partition]) -> None:
    """What somebody else has moved since is not ours to put back."""
    known = {key: [set(replicas)] for key, replicas in plan.original.items()}
    for key, replicas in plan.placement.items():
        known[key].append(set(replicas))
    strange = [part for part in partitions if part.key in known and set(part.replicas) not in known[part.key]]
    if strange:
        first = strange[0]
        raise PlanStale(
            f"{count(len(strange), 'partition was', 'partitions were')} moved by somebody else since, "
            f"{first.topic}/{first.partition} for one",
            fix="plan from where things are: hdictl rebalance plan",
        )


def _findings(snapshot: Snapshot, placement: Placement) -> Findings:
    """Against what would be fair on the brokers of now. Nobody asked for balance: only domains can be violated."""
    known = _known(snapshot)
    problem = _problem(snapshot, placement, known)
    now = {part.key: part.replicas for part in snapshot.partitions}
    rules = {**rules_for(np.array([len(replicas) for replicas in now.values()]), known.brokers), **problem.rules}
    return Findings(
        _fair_load(problem),
        violations=domain_violations(snapshot.partitions, placement, known.brokers, rules, known),
        violations_before=domain_violations(snapshot.partitions, now, known.brokers, rules, known),
    )


def _known(snapshot: Snapshot) -> Known:
    """The way back is given: it does not fail for want of domains."""
    try:
        return known_domains(snapshot.brokers, no_domains=False)
    except DomainsUnknown:
        return known_domains(snapshot.brokers, no_domains=True)


def _problem(snapshot: Snapshot, placement: Placement, known: Known) -> Problem:
    replication = np.array([len(placement[part.key]) for part in snapshot.partitions], dtype=np.int64)
    return Problem(
        brokers=known.brokers,
        partitions=snapshot.partitions,
        replication=replication,
        is_free=np.zeros(len(replication), dtype=bool),
        rules=rules_for(replication, known.brokers),
        balance_bytes=None,
        is_global_only=False,
        is_partial=True,
    )


def _fair_load(problem: Problem) -> FairLoad:
    share = problem.share.sum(axis=0)
    return FairLoad(
        per_broker(problem.brokers, share),
        per_broker(problem.brokers, fair_leaders(share, len(problem.partitions))),
        per_broker(problem.brokers, problem.sizes @ problem.share),
        {topic: per_broker(problem.brokers, problem.share[rows].sum(axis=0)) for topic, rows in problem.topics.items()},
    )
