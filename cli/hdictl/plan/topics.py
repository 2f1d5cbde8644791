"""Desired topics against an observed cluster: what has to change, and what cannot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hdictl.plan.change import Action, Change, Comparison, FieldChange, Refusal
from hdictl.plan.observed import ObservedCluster, ObservedTopic
from hdictl.plan.rules import SHRINKS_RETENTION, Behaviour, topic_rule
from hdictl.stack.topics import TopicSpec


def compare_topics(
    desired: Sequence[TopicSpec], deleted: Iterable[str], observed: ObservedCluster, *, may_delete: bool
) -> Comparison:
    """Compare one cluster's topics. Topics that the stack does not name are nobody's business here."""
    changes: list[Change] = []
    refusals: list[Refusal] = []
    notes: list[str] = []
    for spec in desired:
        refusals += _refusals(spec, observed)
        living = observed.topics.get(spec.name)
        if living is None:
            changes.append(new_topic(spec))
        else:
            changes += _updates(spec, living)
    for name in deleted:
        if name not in observed.topics:
            continue
        if may_delete:
            changes.append(_deletion(observed, observed.topics[name]))
        else:
            notes.append(f"topic:{observed.cluster}/{name} is listed under `deleted`; it stays without --delete-topics")
    return Comparison(tuple(changes), tuple(refusals), tuple(notes))


def _refusals(spec: TopicSpec, observed: ObservedCluster) -> Iterator[Refusal]:
    brokers = len(observed.brokers)
    if spec.replication > brokers:
        yield Refusal(
            address=spec.address,
            what=f"replication {spec.replication} needs {spec.replication} brokers; {brokers} are alive",
            fix=f"lower `replication` to {brokers}, or add brokers: hdictl scale {spec.cluster} {spec.replication}",
        )
    living = observed.topics.get(spec.name)
    if living is not None and spec.partitions < living.partitions:
        rule = topic_rule("partitions")
        yield Refusal(
            address=spec.address,
            what=f"partitions cannot shrink from {living.partitions} to {spec.partitions}: {rule.reason}",
            fix=rule.refusal_fix,
        )


def new_topic(spec: TopicSpec) -> Change:
    reason = "the topic does not exist"
    after = {"partitions": spec.partitions, "replication": spec.replication, "config": dict(spec.config)}
    fields = [
        FieldChange(field=field, after=after[field], action=Action.CREATE, reason=reason)
        for field in ("partitions", "replication")
    ]
    fields += [
        FieldChange(field=f"config.{key}", after=value, action=Action.CREATE, reason=reason)
        for key, value in sorted(spec.config.items())
    ]
    return Change(action=Action.CREATE, address=spec.address, fields=tuple(fields), after=after)


def _updates(spec: TopicSpec, living: ObservedTopic) -> Iterator[Change]:
    """At most two: what is changed in place, and what moves data."""
    in_place = list(_config_changes(spec, living))
    if spec.partitions > living.partitions:
        in_place.insert(0, _field("partitions", living.partitions, spec.partitions))
    if in_place:
        yield _update(spec, living, in_place)
    if spec.replication != living.replication or any(len(r) != spec.replication for r in living.assignment):
        yield _update(spec, living, [_field("replication", living.replication, spec.replication)])


# Set by whoever moves partitions, as long as they move: no drift, and not to be taken away from under a rebalance.
_WHILE_MOVING = {"leader.replication.throttled.replicas", "follower.replication.throttled.replicas"}


def _config_changes(spec: TopicSpec, living: ObservedTopic) -> Iterator[FieldChange]:
    """`living.config` holds topic-level overrides only, so that a broker default is never drift."""
    for key in sorted(spec.config.keys() | (living.config.keys() - _WHILE_MOVING)):
        before, after = living.config.get(key), spec.config.get(key)
        if before != after:
            yield _field(f"config.{key}", before, after)


def _field(field: str, before: object, after: object) -> FieldChange:
    rule = topic_rule(field)
    return FieldChange(field=field, before=before, after=after, action=rule.action, reason=rule.reason)


def _update(spec: TopicSpec, living: ObservedTopic, fields: list[FieldChange]) -> Change:
    rules = [topic_rule(field.field) for field in fields]
    losses = [note for field in fields if (note := _retention_note(field))]
    notes = [rule.warning for rule in rules if rule.warning] + losses
    return Change(
        action=max((field.action for field in fields), key=lambda action: action.rank),
        address=spec.address,
        fields=tuple(fields),
        before=_described(living),
        after={"partitions": spec.partitions, "replication": spec.replication, "config": dict(spec.config)},
        notes=tuple(notes),
        is_irreversible=bool(losses) or any(rule.is_irreversible for rule in rules),
        is_deferred=any(rule.behaviour is Behaviour.MOVES_DATA for rule in rules),
    )


def _retention_note(field: FieldChange) -> str:
    key = field.field.partition(".")[2]
    if key not in SHRINKS_RETENTION or field.after is None:
        return ""
    before, after = (int(value) if value is not None else -1 for value in (field.before, field.after))
    if after == -1 or (before != -1 and before <= after):
        return ""
    return f"{key} is lowered: Kafka deletes what lies beyond it within minutes, and it does not come back"


def _deletion(observed: ObservedCluster, living: ObservedTopic) -> Change:
    return Change(
        action=Action.DELETE,
        address=f"topic:{observed.cluster}/{living.name}",
        before=_described(living),
        notes=("all records of this topic are lost",),
        is_irreversible=True,
    )


def _described(living: ObservedTopic) -> dict[str, object]:
    return {
        "partitions": living.partitions,
        "replication": living.replication,
        "config": dict(living.config),
        "assignment": [list(replicas) for replicas in living.assignment],
    }
