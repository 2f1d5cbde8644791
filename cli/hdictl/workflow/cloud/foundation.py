"""What the stack wants of Azure against what is there."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from hdictl.arm.deployment import Rendered
from hdictl.arm.place import place_of
from hdictl.arm.render import render
from hdictl.arm.resolved import resolved_resources
from hdictl.arm.sound import refuse_unsound
from hdictl.plan.change import Action, Change, Comparison, FieldChange
from hdictl.plan.cloud import CloudCluster, is_cluster
from hdictl.plan.cluster_fields import cluster_fields
from hdictl.plan.clusters import compare_cluster
from hdictl.plan.resources import UNREADABLE, compare_resource
from hdictl.plan.wishes import Wishes
from hdictl.ports.cloud import CloudReader
from hdictl.ports.target import Infrastructure
from hdictl.stack.model import Stack
from hdictl.stack.resource_names import Names
from hdictl.workflow.cloud.beyond import Pair, in_the_way, left_behind
from hdictl.workflow.cloud.monitored import monitored, named_workspace
from hdictl.workflow.cloud.preflight import Candidate, preflight

_GROUND = ("virtualNetworks", "storageAccounts", "userAssignedIdentities", "vaults")
_AT_ONCE = 8  # questions


@dataclass(frozen=True)
class Foundation:
    comparison: Comparison
    absent: frozenset[str]  # clusters that are not there, or will be replaced
    digest: str


NOTHING_BELOW = Foundation(Comparison(), frozenset(), "")


def plan_foundation(stack: Stack, infrastructure: Infrastructure, wishes: Wishes) -> Foundation:
    whole = render(stack, public_key=infrastructure.public_key())
    refuse_unsound(whole, stack)
    bodies = cluster_bodies(stack, whole)
    with infrastructure.cloud() as cloud:
        living = living_clusters(stack, cloud)
        clusters = _compare_clusters(stack, cloud, bodies, living, wishes)
        pairs = _living_resources(stack, whole, cloud)
        others = _compare_group(stack, cloud) + _compare_resources(pairs) + named_workspace(stack, cloud)
        new = {change.cluster for change in clusters.changes if change.action in (Action.CREATE, Action.REPLACE)}
        others += in_the_way(pairs, deploys=bool(others.changes or new))
        compared = others + clusters + left_behind(stack, cloud)
        if compared.changes and not compared.refusals:
            kept = frozenset(stack.clusters) - new
            deployment = render(stack, public_key=infrastructure.public_key(), without=kept).group
            stands = not any(_is_ground(change) for change in others.changes)
            candidates = [_candidate(change, stack, bodies, stands=stands) for change in clusters.changes]
            compared += preflight(cloud, deployment, candidates, wishes.skip)
    missing = frozenset(key for key, cluster in living.items() if cluster is None)
    notes = Comparison(notes=whole.notes) if new else Comparison()
    return Foundation(compared + notes, missing | new, _digest(whole, others + clusters))


def cluster_bodies(stack: Stack, rendered: Rendered) -> Mapping[str, Mapping[str, Any]]:
    """The rendered clusters by their keys, with the ids that things will have."""
    keys = {stack.azure_name(key): key for key in stack.clusters}
    resources = resolved_resources(rendered.group, place_of(stack))
    return {keys[body["name"]]: body for body in resources if is_cluster(body["type"])}


def living_clusters(stack: Stack, cloud: CloudReader) -> Mapping[str, CloudCluster | None]:
    """The stack's clusters by their keys."""
    return dict(zip(stack.clusters, _all(cloud.cluster, map(stack.azure_name, stack.clusters)), strict=True))


def _compare_clusters(
    stack: Stack,
    cloud: CloudReader,
    bodies: Mapping[str, Mapping[str, Any]],
    living: Mapping[str, CloudCluster | None],
    wishes: Wishes,
) -> Comparison:
    whole = Comparison()
    for key, cluster in living.items():
        desired = {**cluster_fields(bodies[key]), "monitoring": stack.monitor is not None}
        agent = monitored(stack, key, cluster, cloud)
        may_replace = key in wishes.replace
        whole += compare_cluster(key, desired, cluster, monitoring=agent, may_replace=may_replace)
    return whole


def _compare_group(stack: Stack, cloud: CloudReader) -> Comparison:
    if cloud.group_tags() is not None:
        return Comparison()
    place = place_of(stack)
    field = FieldChange(field="location", after=place.location, action=Action.CREATE, reason="it does not exist")
    change = Change(
        action=Action.CREATE,
        address=f"group:{place.resource_group}",
        fields=(field,),
        after={"location": place.location, "tags": Names(stack).tags()},
    )
    return Comparison(changes=(change,))


def _living_resources(stack: Stack, rendered: Rendered, cloud: CloudReader) -> Sequence[Pair]:
    bodies = resolved_resources(rendered.group, place_of(stack))
    wanted = [body for body in bodies if not is_cluster(body["type"]) and body["type"].lower() not in UNREADABLE]
    seen = _all(lambda body: cloud.resource(body["id"], body["type"], body["apiVersion"]), wanted)
    return list(zip(wanted, seen, strict=True))


def _compare_resources(pairs: Sequence[Pair]) -> Comparison:
    compared = (compare_resource(body, resource) for body, resource in pairs)
    return Comparison(changes=tuple(change for change in compared if change is not None))


def _is_ground(change: Change) -> bool:
    """Is this something that a cluster stands on, and is it still to be made?"""
    type_ = change.address.partition(":")[2].partition("/")[0]
    return change.action is Action.CREATE and (change.kind == "group" or type_ in _GROUND)


def _candidate(change: Change, stack: Stack, bodies: Mapping[str, Mapping[str, Any]], *, stands: bool) -> Candidate:
    grown = next((field for field in change.fields if field.field == "workers.count"), None)
    return Candidate(
        key=change.cluster,
        name=stack.azure_name(change.cluster),
        location=str((change.after or {}).get("location")),
        body=bodies[change.cluster],
        is_new=change.action is not Action.UPDATE,
        is_replaced=change.action is Action.REPLACE,
        stands=stands,
        more_workers=grown.after - (grown.before or 0) if grown is not None and change.action is Action.UPDATE else 0,
    )


def _digest(rendered: Rendered, compared: Comparison) -> str:
    """Of what the plan was computed from; what Azure's dry runs say is no part of it."""
    changes = [change.model_dump(mode="json") for change in compared.changes]
    refusals = [refusal.model_dump(mode="json") for refusal in compared.refusals]
    text = json.dumps([rendered.group.digest, changes, refusals], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def _all(ask: Any, questions: Any) -> list[Any]:
    """Many small questions, a few at a time; a Ctrl-C does not wait for all the answers."""
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        try:
            return list(pool.map(ask, questions))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
