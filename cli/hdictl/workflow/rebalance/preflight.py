"""What a plan may not do, said before anything is touched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hdictl.errors import MovesForeign, NotInSync, PlanRefused, PlanStale
from hdictl.ports.reassignment import Placement
from hdictl.rebalance.placed import Ongoing, Placed, brokers_text, listed
from hdictl.rebalance.plan import RebalancePlan, Step
from hdictl.rebalance.snapshot import Broker, Partition, PartitionKey, make_snapshot
from hdictl.stack.units import count
from hdictl.workflow.rebalance.observe import broker_ids

_PLAN_AGAIN = "plan again: hdictl rebalance plan"


def require_runnable(plan: RebalancePlan, placement: Placement, ongoing: Mapping[PartitionKey, Ongoing]) -> None:
    _require_sound(plan.steps, is_replication_change=plan.is_replication_change)
    require_no_foreign(ongoing)
    _require_brokers(plan.steps, placement)
    _require_fresh(plan, placement)
    _require_in_sync(plan.steps, placement.partitions)


def require_no_foreign(ongoing: Mapping[PartitionKey, Ongoing]) -> None:
    if ongoing:
        raise MovesForeign(
            f"{count(len(ongoing), 'partition is', 'partitions are')} being moved by somebody else: {listed(ongoing)}",
            fix="let them end first, or watch them to their end and go on with: --adopt",
        )


def _require_sound(steps: Sequence[Step], *, is_replication_change: bool) -> None:
    doubled = [step.key for step in steps if len(set(step.after)) < len(step.after) or not step.after]
    if doubled:
        raise PlanRefused(f"a broker stands twice, or none stands, in {listed(doubled)}", fix=_PLAN_AGAIN)
    changed = [step for step in steps if len(step.after) != len(step.before)]
    if changed and not is_replication_change:
        first = changed[0]
        raise PlanRefused(
            f"the plan changes the number of replicas of {listed(step.key for step in changed)} (from "
            f"{len(first.before)} to {len(first.after)}), and nobody asked for that",
            fix="ask for it: hdictl rebalance plan --replication TOPIC=N",
        )


def _require_brokers(steps: Sequence[Step], placement: Placement) -> None:
    away = {broker for step in steps for broker in (*step.before, *step.after)} - placement.brokers
    if away:
        raise NotInSync(
            brokers_text(away, "is away, and the plan needs it", "are away, and the plan needs them"),
            fix="see why: hdictl status; start it, or plan again without it",
        )


def _require_fresh(plan: RebalancePlan, placement: Placement) -> None:
    """Says what is another than it was when the plan was made."""
    if plan.cluster_id and plan.cluster_id != placement.cluster_id:
        raise PlanStale(
            f"the plan was made for Kafka cluster {plan.cluster_id}; this is {placement.cluster_id}", fix=_PLAN_AGAIN
        )
    now = make_snapshot(
        [Broker(id) for id in broker_ids(placement)],
        [Partition(*key, placed.replicas) for key, placed in placement.partitions.items()],
        cluster_id=plan.cluster_id,
    )
    if now.fingerprint != plan.fingerprint:
        changes = _changes(plan, placement) or ["something that the plan does not show"]
        raise PlanStale(f"the cluster is not as it was when the plan was made: {'; '.join(changes)}", fix=_PLAN_AGAIN)


def _changes(plan: RebalancePlan, placement: Placement) -> list[str]:
    was, now = plan.original, {key: placed.replicas for key, placed in placement.partitions.items()}
    brokers_then, brokers_now = {change.broker.id for change in plan.brokers}, set(broker_ids(placement))
    moved = sorted(key for key in was.keys() & now.keys() if was[key] != now[key])
    found = [
        (moved, "moved"),
        (sorted(now.keys() - was.keys()), "new"),
        (sorted(was.keys() - now.keys()), "gone"),
    ]
    brokers = [
        *(f"broker {id} is new" for id in sorted(brokers_now - brokers_then)),
        *(f"broker {id} is gone" for id in sorted(brokers_then - brokers_now)),
    ]
    return [*brokers, *(f"{count(len(keys), 'partition')} {word}: {listed(keys)}" for keys, word in found if keys)]


def _require_in_sync(steps: Sequence[Step], placed: Mapping[PartitionKey, Placed]) -> None:
    behind = [step.key for step in steps if not placed[step.key].is_in_sync]
    if behind:
        some = count(len(behind), "partition that would be moved has", "partitions that would be moved have")
        raise NotInSync(
            f"{some} replicas out of sync: {listed(behind)}",
            fix="wait until they have caught up, or see what is wrong: hdictl status",
        )
