"""What every plan has to keep, counted anew from the snapshot: nothing here uses the planner's own reckoning.

Only fair shares are taken from the plan. That they add up to what there is, is a law of its own; of bytes they may be
less, by partitions that fit into no window.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from hdictl.rebalance.plan import Step
from tests.bench.rebalance_balance import balance
from tests.bench.rebalance_judged import Judged
from tests.bench.rebalance_large import too_large

_SOLVER = 1e-6  # its tolerance


def broken_laws(judged: Judged) -> list[str]:
    """Without all its replicas a placement is not judged further."""
    missing = [f"replication: {what}" for what in _replication(judged)]
    return missing or [f"{law.__name__.lstrip('_')}: {what}" for law in _LAWS for what in law(judged)]


def _replication(judged: Judged) -> Iterator[str]:
    for partition, after in judged.pairs:
        wanted = judged.wishes.replication.get(partition.topic, len(partition.replicas))
        if len(after) != wanted or len(set(after)) != wanted:
            yield f"{partition.key} has replicas {after}, {wanted} are wanted"
    strangers = judged.plan.placement.keys() - {partition.key for partition in judged.start.partitions}
    if strangers:
        yield f"{len(strangers)} partitions are not in the snapshot"


def _brokers(judged: Judged) -> Iterator[str]:
    allowed = judged.start.broker_ids - judged.wishes.drain
    for partition, after in judged.pairs:
        if not set(after) <= allowed:
            yield f"{partition.key} lies on {sorted(set(after) - allowed)}, unknown or drained"


def _order(judged: Judged) -> Iterator[str]:
    """Replicas that stay keep their order, but for a new leader."""
    for partition, after in judged.pairs:
        before = [id for id in partition.replicas if id in after[1:]]
        if before != [id for id in after[1:] if id in partition.replicas]:
            yield f"{partition.key}: {partition.replicas} became {after}"


def _domains(judged: Judged) -> Iterator[str]:
    """As many fault domains as there can be, then as many update domains, and no violation unsaid."""
    for partition, after in judged.pairs:
        if judged.domains.spread(after) < judged.domains.best(len(after)):
            yield f"{partition.key} on {after}: {judged.domains.spread(after)} of {judged.domains.best(len(after))}"
    counted = judged.domains.violations([after for _, after in judged.pairs])
    said = Counter(violation.rule for violation in judged.plan.violations)
    if counted != (said["fd"], said["ud"]):
        yield f"{counted} partitions lack fault and update domains, the plan says {(said['fd'], said['ud'])}"


def _cost(judged: Judged) -> Iterator[str]:
    """Moves and bytes are what the placement says, and not below their bound."""
    moves = sum(len(set(after) - set(partition.replicas)) for partition, after in judged.pairs)
    bytes_ = sum(judged.arriving.values())
    plan, bound = judged.plan, judged.plan.certificate
    if (moves, bytes_) != (plan.moves, plan.bytes):
        yield f"{moves} moves of {bytes_} bytes, the plan says {plan.moves} of {plan.bytes}"
    if moves < bound.moves or bytes_ < bound.bytes:
        yield f"{moves} moves of {bytes_} bytes undercut the bound of {bound.moves} and {bound.bytes}"


def _disk(judged: Judged) -> Iterator[str]:
    """What leaves, leaves last: everything that arrives has to fit beside it, and a tenth stays free."""
    for broker in judged.start.brokers:
        if broker.free is not None and judged.arriving[broker.id] > broker.free * 0.9 * (1 + _SOLVER):
            yield f"{judged.arriving[broker.id]} bytes arrive at {broker.id}, {broker.free} are free"


def _repair(judged: Judged) -> Iterator[str]:
    """A repair moves nothing that keeps the rules."""
    if judged.wishes.repair_only:
        best = judged.domains.best
        for step in judged.plan.steps:
            if judged.domains.spread(step.before) >= best(len(step.before)):
                yield f"{step.key} kept the rules and changes from {step.before} to {step.after}"


def _fair_shares(judged: Judged) -> Iterator[str]:
    """They add up to what there is. A partition that fits into no window on bytes may count as less."""
    bytes_ = sum(partition.size * len(after) for partition, after in judged.pairs)
    large = sum(partition.size * len(judged.plan.placement[partition.key]) for partition in too_large(judged))
    for what, whole, less in (
        ("replicas", sum(len(after) for _, after in judged.pairs), 0),
        ("leaders", len(judged.pairs), 0),
        ("bytes", bytes_, large),
    ):
        fair = sum(getattr(change, f"fair_{what}") for change in judged.plan.brokers)
        play = 0.01 * len(judged.plan.brokers) + 1e-6 * whole
        if not whole - less - play < fair < whole + play:
            yield f"of {what} they add up to {fair}, and there are {whole}"


def _steps(judged: Judged) -> Iterator[str]:
    """A step for each partition that changes, and for no other."""
    changed = [
        Step(partition.topic, partition.partition, partition.replicas, after, partition.size)
        for partition, after in judged.pairs
        if partition.replicas != after
    ]
    if tuple(changed) != judged.plan.steps:
        yield f"{len(changed)} partitions change, the plan has {len(judged.plan.steps)} steps"


_LAWS: tuple[Callable[[Judged], Iterator[str]], ...] = (
    _brokers,
    _order,
    _domains,
    _cost,
    _disk,
    _repair,
    _fair_shares,
    balance,
    _steps,
)
