"""From a snapshot and wishes to a plan with its proof. Pure and deterministic; the map of this folder.

domains     which fault and update domains count, or why none do
spread      the rule for replicas of one partition over domains
fair_share  what each broker ought to carry
problem     all of that as arrays, with windows around the fair shares; too_large: what fits into none
search      the placement that costs least: block by block (block, rows), fractional first (solver), then whole
            (rounding, large_first, dive, swaps, polish)
bound       what no plan under the same constraints can undercut; prices: where that takes several blocks
trade       a second look where a plan is far from its bound
settle      where windows cannot be kept: as near as it gets, and then no more moves; impossible: whether that is proven
leaders     who leads, by flow; order: replica lists that change as little as they can
measure     loads and spread of the result: the RebalancePlan
violations  what it does not keep, and why; words: what else is said with it
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from hdictl.errors import CannotPlace, DomainsUnknown, UsageError
from hdictl.rebalance.domains import Known, known_domains
from hdictl.rebalance.impossible import is_impossible
from hdictl.rebalance.leaders import choose_leaders, fair_leaders
from hdictl.rebalance.measure import FairLoad, Findings, Placement, measured, per_broker
from hdictl.rebalance.order import ordered
from hdictl.rebalance.plan import Certificate, Kind, RebalancePlan, Violation
from hdictl.rebalance.problem import Problem, problem_of
from hdictl.rebalance.search import Found
from hdictl.rebalance.settle import settled
from hdictl.rebalance.snapshot import Snapshot
from hdictl.rebalance.solver import Bools, Ints
from hdictl.rebalance.spread import full_spread
from hdictl.rebalance.violations import BytesWindow, domain_violations, window_violations
from hdictl.rebalance.wishes import Wishes
from hdictl.rebalance.words import constraints, notes


def plan(snapshot: Snapshot, wishes: Wishes = Wishes()) -> RebalancePlan:  # noqa: B008 (frozen)
    began = time.perf_counter()
    _require_known(snapshot, wishes)
    staying = tuple(broker for broker in snapshot.brokers if broker.id not in wishes.drain)
    known = known_domains(staying, no_domains=wishes.no_domains)
    problem = problem_of(snapshot, wishes, known)
    _require_strict_ud(problem, known, wishes)
    found, bound = settled(problem)
    placement = _placement(problem, found.placed)
    fair, window = _fair_load(problem), _bytes_window(problem, found)
    findings = Findings(
        fair,
        Certificate(bound.moves, bound.bytes, constraints(problem, wishes, known)),
        violations=(
            *domain_violations(snapshot.partitions, placement, known.brokers, problem.rules, known),
            *(() if problem.is_partial else window_violations(snapshot, placement, fair, window)),
        ),
        violations_before=(
            *_violations_before(snapshot, wishes, problem, known),
            *_bytes_before(snapshot, fair, window),
        ),
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


def _fair_load(problem: Problem) -> FairLoad:
    share = problem.share.sum(axis=0)
    topics = {} if problem.is_global_only or problem.is_partial else problem.topics
    return FairLoad(
        per_broker(problem.brokers, share),
        per_broker(problem.brokers, fair_leaders(share, len(problem.partitions))),
        per_broker(problem.brokers, problem.counted @ problem.share * problem.unit),
        {topic: per_broker(problem.brokers, problem.share[rows].sum(axis=0)) for topic, rows in topics.items()},
    )


def _bytes_window(problem: Problem, found: Found) -> BytesWindow | None:
    if problem.balance_bytes is None or problem.is_partial:
        return None
    *_, out = problem.left(found.placed)
    otherwise = "no plan keeps all windows on bytes" if out and is_impossible(problem) else "nothing nearer was found"
    return BytesWindow(problem.balance_bytes, problem.too_large, otherwise)


def _violations_before(snapshot: Snapshot, wishes: Wishes, problem: Problem, known: Known) -> tuple[Violation, ...]:
    """With the brokers that leave: what lies on them has a domain as well, if one is known."""
    with contextlib.suppress(DomainsUnknown):
        known = known_domains(snapshot.brokers, no_domains=wishes.no_domains)
    return domain_violations(snapshot.partitions, _before(snapshot), known.brokers, problem.rules, known)


def _bytes_before(snapshot: Snapshot, fair: FairLoad, window: BytesWindow | None) -> Iterator[Violation]:
    """Where a window on bytes is asked for, whoever is out of it at the start counts as well."""
    if window is not None:
        found = window_violations(snapshot, _before(snapshot), fair, replace(window, otherwise="so it is now"))
        yield from (violation for violation in found if violation.rule == "bytes")


def _before(snapshot: Snapshot) -> Placement:
    return {partition.key: partition.replicas for partition in snapshot.partitions}
