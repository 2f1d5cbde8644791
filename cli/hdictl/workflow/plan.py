"""Stack and living clusters to a plan. Has readers only: it cannot change anything."""

from __future__ import annotations

from hdictl.plan.change import Action, Change, Pin, Plan, Refusal, in_order
from hdictl.plan.observed import ObservedCluster
from hdictl.plan.saved import fingerprint
from hdictl.plan.topics import compare_topics
from hdictl.ports.target import Target
from hdictl.rebalance.placement import Load, load_of, place
from hdictl.stack.model import Stack
from hdictl.stack.topics import deleted_topics, resolved_topics
from hdictl.workflow.observe import observe


def make_plan(stack: Stack, target: Target, *, env: str | None = None, may_delete: bool = False) -> Plan:
    desired = resolved_topics(stack)
    deleted = deleted_topics(stack)
    clusters = sorted({spec.cluster for spec in desired} | {cluster for cluster, _ in deleted})
    observed, notes = observe(target, clusters)
    changes: list[Change] = []
    refusals: list[Refusal] = []
    remarks = list(notes)
    for cluster in observed:
        mine = [spec for spec in desired if spec.cluster == cluster.cluster]
        gone = [name for owner, name in deleted if owner == cluster.cluster]
        compared = compare_topics(mine, gone, cluster, may_delete=may_delete)
        refusals += compared.refusals
        remarks += compared.notes
        changes += _placed(compared.changes, cluster) if not compared.refusals else compared.changes
    return Plan(
        stack=stack.stack,
        env=env,
        target=target.name,
        clusters={
            cluster.cluster: Pin(cluster_id=cluster.cluster_id, brokers=tuple(b.id for b in cluster.brokers))
            for cluster in observed
        },
        changes=in_order(changes),
        refusals=tuple(refusals),
        notes=tuple(remarks),
        fingerprint=fingerprint(desired, deleted, observed),
    )


def _placed(changes: tuple[Change, ...], cluster: ObservedCluster) -> list[Change]:
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
