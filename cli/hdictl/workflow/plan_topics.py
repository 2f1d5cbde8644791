"""The topics of a plan: compared with living clusters, and placed on their brokers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hdictl.plan.change import Action, Change, Comparison
from hdictl.plan.observed import ObservedCluster
from hdictl.plan.saved import fingerprint
from hdictl.plan.topics import compare_topics, new_topic
from hdictl.plan.wishes import PlanPart, Wishes
from hdictl.ports.target import Target
from hdictl.rebalance.placement import Load, load_of, place
from hdictl.stack.model import Stack
from hdictl.stack.topics import deleted_topics, resolved_topics
from hdictl.workflow.observe import OUT_OF_SIGHT, observe


@dataclass(frozen=True)
class PlannedTopics:
    comparison: Comparison
    observed: tuple[ObservedCluster, ...]
    digest: str


def plan_topics(stack: Stack, target: Target, wishes: Wishes, *, absent: frozenset[str] = frozenset()) -> PlannedTopics:
    """`absent` clusters are not there yet: their topics are new without a look, and are placed when brokers exist."""
    desired = resolved_topics(stack)
    deleted = deleted_topics(stack)
    if PlanPart.TOPICS in wishes.skip:
        note = (f"topics were not looked at ({len(desired)} in the stack)",) if desired else ()
        return PlannedTopics(Comparison(notes=note), (), fingerprint(desired, deleted, ()))
    living = {spec.cluster for spec in desired} | {cluster for cluster, _ in deleted}
    observed, notes = _observed(target, sorted(living - absent))
    whole = Comparison(notes=notes)
    for cluster in observed:
        mine = [spec for spec in desired if spec.cluster == cluster.cluster]
        gone = [name for owner, name in deleted if owner == cluster.cluster]
        compared = compare_topics(mine, gone, cluster, may_delete=wishes.delete_topics)
        placed = compared.changes if compared.refusals else tuple(_placed(compared.changes, cluster))
        whole += Comparison(placed, compared.refusals, compared.notes)
    whole += Comparison(changes=tuple(new_topic(spec) for spec in desired if spec.cluster in absent))
    return PlannedTopics(whole, observed, fingerprint(desired, deleted, observed))


def _observed(target: Target, clusters: Sequence[str]) -> tuple[tuple[ObservedCluster, ...], tuple[str, ...]]:
    try:
        return observe(target, clusters)
    except OUT_OF_SIGHT as error:
        if target.infrastructure() is not None:  # there is more to plan than topics
            error.fix = f"{error.fix + '; or ' if error.fix else ''}leave the topics out: --skip topics"
        raise


def _placed(changes: Iterable[Change], cluster: ObservedCluster) -> list[Change]:
    """Every new partition gets its brokers now, so that the plan shows them and apply does not decide."""
    load = load_of(cluster.topics.values())
    return [_with_assignment(change, cluster, load) for change in changes]


def _with_assignment(change: Change, cluster: ObservedCluster, load: Load) -> Change:
    if change.after is None or change.is_deferred:
        return change
    living = cluster.topics.get(change.name)
    existing = living.assignment if living is not None else ()
    count = change.after["partitions"] - len(existing)
    if count <= 0:
        return change
    # Partitions that join a topic have as many replicas as its others; another number is a reassignment's work.
    replication = living.replication if living is not None else change.after["replication"]
    added = place(count, replication, cluster.brokers, load, existing)
    field = "assignment" if change.action is Action.CREATE else "added"
    return change.model_copy(update={"after": {**change.after, field: [list(replicas) for replicas in added]}})
