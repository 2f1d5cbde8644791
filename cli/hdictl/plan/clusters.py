"""Desired HDInsight clusters against observed ones: what has to change, and what cannot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hdictl.plan.change import Action, Change, Comparison, FieldChange, Refusal
from hdictl.plan.cloud import CloudCluster
from hdictl.plan.cluster_fields import cluster_fields
from hdictl.plan.cluster_rules import CLUSTER_RULES, OFTEN_HIDDEN
from hdictl.plan.rules import Behaviour

_SHOWN_AT_CREATION = (
    "kind", "component", "location", "workers.count", "workers.size", "workers.disks", "head.size", "zookeeper.size",
    "management.size", "zone", "autoscale", "encryption.key", "network.connection", "monitoring",
)  # fmt: skip


def compare_cluster(
    key: str, desired: Mapping[str, Any], living: CloudCluster | None, *, monitoring: object = None, may_replace: bool
) -> Comparison:
    """`desired` are the fields of the rendered cluster, `monitoring` is what the living one's agent says."""
    address = f"cluster:{key}"
    if living is None:
        return Comparison(changes=(_creation(address, desired, "the cluster does not exist"),))
    if living.is_leaving:
        return _leaving(address)
    if living.is_failed:
        return _failed(address, desired, living, may_replace=may_replace)
    seen = {**cluster_fields(living.body), "monitoring": monitoring}
    differences = list(_differences(desired, seen))
    refusals = tuple(_refusals(address, differences, seen, may_replace=may_replace))
    notes = (f"{address} is at work ({living.state}); what is shown may change",) if living.is_busy else ()
    if not differences or refusals:
        return Comparison(refusals=refusals, notes=notes)
    if any(CLUSTER_RULES[field.field].behaviour is Behaviour.REPLACES for field in differences):
        return Comparison(changes=(_replacement(address, desired, seen, differences),), notes=notes)
    return Comparison(changes=(_update(address, seen, desired, differences),), notes=notes)


def _differences(desired: Mapping[str, Any], seen: Mapping[str, Any]) -> Iterator[FieldChange]:
    for name, rule in CLUSTER_RULES.items():
        before, after = seen.get(name), desired.get(name)
        if name not in desired or before == after or (before is None and name in OFTEN_HIDDEN):
            continue
        if name == "encryption.key.version" and after is None:
            continue  # the stack leaves the version open
        if name == "workers.count" and desired.get("autoscale"):
            continue  # autoscale moves it
        if name == "tags":
            before, after = _tags(before or {}, after or {})
            if before == after:
                continue
        yield FieldChange(field=name, before=before, after=after, action=rule.action, reason=rule.reason)


def _tags(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Only tags of the stack; others may put theirs beside them. Azure does not mind the case of their names."""
    seen = {name.lower(): value for name, value in before.items()}
    return {name: seen[name.lower()] for name in after if name.lower() in seen}, dict(after)


def _shrinks(field: FieldChange) -> bool:
    return field.field == "workers.count" and isinstance(field.before, int) and field.after < field.before


def _refusals(
    address: str, differences: list[FieldChange], seen: Mapping[str, Any], *, may_replace: bool
) -> Iterator[Refusal]:
    key = address.partition(":")[2]
    for field in differences:
        rule = CLUSTER_RULES[field.field]
        change = f"{field.field}: {field.before} → {field.after}"
        if rule.behaviour is Behaviour.REFUSED:
            yield Refusal(address=address, what=f"{change}: {rule.reason}", fix=rule.refusal_fix)
        elif _shrinks(field) and seen.get("kind") == "kafka":
            yield Refusal(address=address, what=f"{change}: Kafka never scales in", fix=rule.refusal_fix)
        elif rule.behaviour is Behaviour.REPLACES and not may_replace:
            yield Refusal(
                address=address,
                what=f"{change}: {rule.reason}",
                fix=f"keep {field.before}, or have the cluster deleted and made anew: --replace {key}",
            )


def _creation(address: str, desired: Mapping[str, Any], reason: str) -> Change:
    shown = {name: desired[name] for name in _SHOWN_AT_CREATION if desired.get(name) not in (None, False)}
    fields = tuple(
        FieldChange(field=name, after=value, action=Action.CREATE, reason=reason) for name, value in shown.items()
    )
    return Change(action=Action.CREATE, address=address, fields=fields, after=dict(desired))


def _replacement(
    address: str, desired: Mapping[str, Any], seen: Mapping[str, Any], differences: list[FieldChange]
) -> Change:
    return Change(
        action=Action.REPLACE,
        address=address,
        fields=tuple(differences),
        before=dict(seen),
        after=dict(desired),
        notes=(what_is_lost(seen),),
        is_irreversible=True,
    )


def _update(
    address: str, seen: Mapping[str, Any], desired: Mapping[str, Any], differences: list[FieldChange]
) -> Change:
    grown = [field for field in differences if field.field == "workers.count" and seen.get("kind") == "kafka"]
    return Change(
        action=Action.UPDATE,
        address=address,
        fields=tuple(differences),
        before={field.field: field.before for field in differences},
        after=dict(desired),
        notes=tuple(CLUSTER_RULES[field.field].warning for field in grown),
        is_irreversible=bool(grown),
    )


def _leaving(address: str) -> Comparison:
    """Nothing can be said of a cluster that is half gone; `apply` waits for the rest of it before it plans."""
    what = "the cluster is being deleted"
    fix = "plan again when it is gone; hdictl apply --target azure waits for that, and makes it anew"
    return Comparison(refusals=(Refusal(address=address, what=what, fix=fix),))


def _failed(address: str, desired: Mapping[str, Any], living: CloudCluster, *, may_replace: bool) -> Comparison:
    key = address.partition(":")[2]
    why = "; ".join(f"{code}: {message}" for code, message in living.errors) or "the service does not say why"
    if not may_replace:
        return Comparison(
            refusals=(
                Refusal(
                    address=address,
                    what=f"the cluster is in state {living.state} ({living.provisioning}): {why}",
                    fix=f"mend the cause, then have it deleted and made anew: --replace {key}",
                ),
            )
        )
    state = FieldChange(
        field="state", before=living.state, after="Running", action=Action.REPLACE, reason=f"it failed: {why}"
    )
    return Comparison(changes=(_replacement(address, desired, cluster_fields(living.body), [state]),))


def what_is_lost(fields: Mapping[str, Any]) -> str:
    """What goes with a cluster that is deleted."""
    if fields.get("kind") != "kafka":
        return "jobs that run on the cluster end; what is in its storage account stays"
    brokers, disks = fields.get("workers.count") or 0, fields.get("workers.disks") or 0
    return (
        f"all topics and records are lost: the managed disks ({brokers} brokers × {disks} of 1 TB) "
        "are deleted with the cluster"
    )
