"""From a snapshot and wishes to a plan with its proof. Pure and deterministic; the map of this folder.

domains     which fault and update domains count, or why none do
spread      the rule for replicas of one partition over domains
fair_share  what each broker ought to carry
problem     all of that as arrays, with windows around the fair shares
search      the placement that costs least: block by block (block), fractional first (solver), then whole (rounding,
            dive, swaps)
bound       what no plan under the same constraints can undercut
trade       a second look where a plan is far from its bound: another weight, or an improvement sweep
leaders     who leads, by flow; order: replica lists that change as little as they can
measure     loads, spread and violations of the result: the RebalancePlan; words: what is said with it
"""

from __future__ import annotations

import contextlib
import time
from dataclasses import replace

import numpy as np

from hdictl.errors import CannotPlace, DomainsUnknown, UsageError
from hdictl.rebalance.domains import Known, known_domains
from hdictl.rebalance.leaders import choose_leaders, fair_leaders
from hdictl.rebalance.measure import (
    FairLoad,
    Findings,
    Placement,
    domain_violations,
    measured,
    per_broker,
    window_violations,
)
from hdictl.rebalance.order import ordered
from hdictl.rebalance.plan import Certificate, Kind, RebalancePlan, Violation
from hdictl.rebalance.problem import Problem, rules_for
from hdictl.rebalance.snapshot import Snapshot
from hdictl.rebalance.solver import Bools, Ints
from hdictl.rebalance.spread import full_spread
from hdictl.rebalance.trade import traded
from hdictl.rebalance.wishes import Wishes
from hdictl.rebalance.words import constraints, notes


def plan(snapshot: Snapshot, wishes: Wishes = Wishes()) -> RebalancePlan:  # noqa: B008 (frozen)
    began = time.perf_counter()
    _require_known(snapshot, wishes)
    staying = tuple(broker for broker in snapshot.brokers if broker.id not in wishes.drain)
    known = known_domains(staying, no_domains=wishes.no_domains)
    problem = _problem(snapshot, wishes, known)
    _require_strict_ud(problem, known, wishes)
    found, bound = traded(problem)
    placement = _placement(problem, found.placed)
    fair = _fair_load(problem, found.placed)
    findings = Findings(
        fair,
        Certificate(bound.moves, bound.bytes, constraints(problem, wishes, known)),
        violations=(
            *domain_violations(snapshot.partitions, placement, known.brokers, problem.rules, known),
            *(() if problem.is_partial else window_violations(snapshot, placement, fair, wishes.balance_bytes)),
        ),
        violations_before=_violations_before(snapshot, wishes, problem, known),
        notes=(*known.notes, *notes(snapshot, problem)),
    )
    result = measured(_kind(wishes), snapshot, placement, findings)
    return replace(result, seconds=time.perf_counter() - began)


def _kind(wishes: Wishes) -> Kind:
    if wishes.replication:
        return "replication"
    if wishes.drain:
        return "drain"
    return "repair" if wishes.repair_only else "balance"


def _require_known(snapshot: Snapshot, wishes: Wishes) -> None:
    unknown = sorted(wishes.drain - snapshot.broker_ids)
    if unknown:
        raise UsageError(
            f"there is no broker {unknown[0]} to drain",
            fix=f"it is one of {', '.join(map(str, sorted(snapshot.broker_ids)))}",
        )
    if wishes.drain >= snapshot.broker_ids:
        raise CannotPlace("no broker is left to hold anything", fix="drain fewer brokers")
    topics = {partition.topic for partition in snapshot.partitions}
    for topic in sorted(set(wishes.replication) - topics):
        raise UsageError(f"there is no topic `{topic}` whose replication could change", fix="see hdictl topics list")


def _problem(snapshot: Snapshot, wishes: Wishes, known: Known) -> Problem:
    replication = np.array(
        [wishes.replication.get(p.topic, len(p.replicas)) for p in snapshot.partitions], dtype=np.int64
    )
    problem = Problem(
        brokers=known.brokers,
        partitions=snapshot.partitions,
        replication=replication,
        is_free=np.ones(len(replication), dtype=bool),
        rules=rules_for(replication, known.brokers),
        balance_bytes=wishes.balance_bytes,
        is_global_only=wishes.global_only,
        is_partial=wishes.repair_only or bool(wishes.replication),
    )
    return _partial(problem, wishes) if problem.is_partial else problem


def _partial(problem: Problem, wishes: Wishes) -> Problem:
    """Only what breaks a rule, or whose replication changes, is free to move."""
    wrong = ~problem.is_kept if wishes.repair_only else np.zeros(len(problem.partitions), dtype=bool)
    wrong |= np.array([not wishes.drain.isdisjoint(p.replicas) for p in problem.partitions], dtype=bool)
    named = np.array([partition.topic in wishes.replication for partition in problem.partitions], dtype=bool)
    return replace(problem, is_free=wrong | named)


def _require_strict_ud(problem: Problem, known: Known, wishes: Wishes) -> None:
    if not wishes.strict_ud:
        return
    if not known.has_ud:
        raise CannotPlace("--strict-ud: update domains are unknown", fix="put ud into the snapshot, or leave it out")
    domains = len({broker.ud for broker in problem.brokers})
    for replication, rule in problem.rules.items():
        if rule.ud_reason:
            raise CannotPlace(
                f"--strict-ud: {replication} replicas cannot be in {full_spread(replication, domains)} update domains: "
                f"{rule.ud_reason}",
                fix="add brokers in other update domains, or leave --strict-ud out to share them where needed",
            )


def _placement(problem: Problem, placed: Bools) -> Placement:
    column = {broker.id: number for number, broker in enumerate(problem.brokers)}
    now = np.array([column.get(partition.replicas[0], -1) for partition in problem.partitions], dtype=np.int64)
    rows = np.arange(len(now))
    keeps = (now >= 0) & placed[rows, np.maximum(now, 0)] if len(now) else np.zeros(0, dtype=bool)
    now = np.where(keeps, now, -1)
    fair = fair_leaders(problem.share.sum(axis=0), len(now))
    is_free = problem.is_free if problem.is_partial else np.ones(len(now), dtype=bool)
    leaders: Ints = choose_leaders(placed, problem.current, now, fair, is_free)
    ids = np.array([broker.id for broker in problem.brokers])
    return {
        partition.key: ordered(partition.replicas, set(ids[placed[row]].tolist()), int(ids[leaders[row]]))
        if is_free[row]
        else partition.replicas
        for row, partition in enumerate(problem.partitions)
    }


def _fair_load(problem: Problem, placed: Bools) -> FairLoad:
    share = problem.share.sum(axis=0)
    topics = {} if problem.is_global_only or problem.is_partial else problem.topics
    return FairLoad(
        per_broker(problem.brokers, share),
        per_broker(problem.brokers, fair_leaders(share, len(placed))),
        per_broker(problem.brokers, problem.sizes @ problem.share),
        {topic: per_broker(problem.brokers, problem.share[rows].sum(axis=0)) for topic, rows in topics.items()},
    )


def _violations_before(snapshot: Snapshot, wishes: Wishes, problem: Problem, known: Known) -> tuple[Violation, ...]:
    """With the brokers that leave: what lies on them has a domain as well, if one is known."""
    with contextlib.suppress(DomainsUnknown):
        known = known_domains(snapshot.brokers, no_domains=wishes.no_domains)
    before = {partition.key: partition.replicas for partition in snapshot.partitions}
    return domain_violations(snapshot.partitions, before, known.brokers, problem.rules, known)
