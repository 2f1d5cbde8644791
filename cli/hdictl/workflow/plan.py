"""Stack and living world to a plan. Has readers only: it cannot change anything."""

from __future__ import annotations

import hashlib

from hdictl.plan.change import Pin, Plan, in_order
from hdictl.plan.wishes import Wishes
from hdictl.ports.target import Target
from hdictl.stack.model import Stack
from hdictl.workflow.cloud.foundation import NOTHING_BELOW, plan_foundation
from hdictl.workflow.plan_topics import plan_topics

_ANY = Wishes()


def make_plan(stack: Stack, target: Target, *, env: str | None = None, wishes: Wishes = _ANY) -> Plan:
    """Clusters and networks where a service makes them, then the topics on whatever clusters there are."""
    infrastructure = target.infrastructure()
    below = NOTHING_BELOW if infrastructure is None else plan_foundation(stack, infrastructure, wishes)
    topics = plan_topics(stack, target, wishes, absent=below.absent)
    whole = below.comparison + topics.comparison
    return Plan(
        stack=stack.stack,
        env=env,
        target=target.name,
        clusters={
            cluster.cluster: Pin(cluster_id=cluster.cluster_id, brokers=tuple(b.id for b in cluster.brokers))
            for cluster in topics.observed
        },
        changes=in_order(whole.changes),
        refusals=whole.refusals,
        notes=whole.notes,
        skipped=tuple(sorted(wishes.skip)),
        fingerprint=_joined(below.digest, topics.digest),
    )


def _joined(*digests: str) -> str:
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()
