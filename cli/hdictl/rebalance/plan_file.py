"""Rebalance plans as JSON: for the plan file, for `--json`, and for the journal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from hdictl.errors import PlanUnreadable
from hdictl.rebalance.plan import (
    BrokerChange,
    Certificate,
    Load,
    RebalancePlan,
    Spread,
    Step,
    Violation,
)
from hdictl.rebalance.snapshot import Broker, PartitionKey

FORMAT = 1
_AGAIN = "make it anew: hdictl rebalance plan --out FILE"


def reassignment(placement: Mapping[PartitionKey, tuple[int, ...]]) -> dict[str, Any]:
    """As kafka-reassign-partitions reads it."""
    return {
        "version": 1,
        "partitions": [
            {"topic": topic, "partition": partition, "replicas": list(replicas)}
            for (topic, partition), replicas in sorted(placement.items())
        ],
    }


def to_document(plan: RebalancePlan) -> dict[str, Any]:
    """`assignment` and `original` name every partition: either alone says where everything is."""
    return {
        "format": FORMAT,
        "kind": plan.kind,
        "cluster": plan.cluster,
        "cluster_id": plan.cluster_id,
        "fingerprint": plan.fingerprint,
        "moves": plan.moves,
        "bytes": plan.bytes,
        "bound": {"moves": plan.certificate.moves, "bytes": plan.certificate.bytes},
        "gap": {key: None if value == float("inf") else round(value, 6) for key, value in plan.gap.items()},
        "constraints": plan.certificate.constraints,
        "leader_changes": plan.leader_changes,
        "is_replication_change": plan.is_replication_change,
        "spread": asdict(plan.spread),
        "spread_before": asdict(plan.spread_before),
        "violations": [asdict(violation) for violation in plan.violations],
        "violations_before": [asdict(violation) for violation in plan.violations_before],
        "brokers": {str(change.broker.id): _broker_document(change) for change in plan.brokers},
        "notes": list(plan.notes),
        "seconds": round(plan.seconds, 3),
        "sizes": [[step.topic, step.partition, step.size] for step in plan.steps],
        "assignment": reassignment(plan.placement),
        "original": reassignment(plan.original),
    }


def _broker_document(change: BrokerChange) -> dict[str, Any]:
    document = asdict(change)
    broker = document.pop("broker")
    del broker["id"]
    return {**broker, **document}


def to_text(plan: RebalancePlan) -> str:
    return json.dumps(to_document(plan), indent=1, sort_keys=True) + "\n"


def read_plan(text: str, name: str) -> RebalancePlan:
    """`name` is the file's, for messages."""
    try:
        document = json.loads(text)
    except ValueError as error:
        raise PlanUnreadable(f"this is not JSON: {error}", where=name, fix=_AGAIN) from None
    if not isinstance(document, dict) or "assignment" not in document:
        raise PlanUnreadable("this is no rebalance plan", where=name, fix=_AGAIN)
    if document.get("format") != FORMAT:
        raise PlanUnreadable(f"format {document.get('format')} is not known here", where=name, fix=_AGAIN)
    try:
        return from_document(document)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise PlanUnreadable(f"something is missing or odd in it: {error!r}", where=name, fix=_AGAIN) from None


def from_document(document: Mapping[str, Any]) -> RebalancePlan:
    after, before = _placement(document["assignment"]), _placement(document["original"])
    if set(after) != set(before):
        raise ValueError("assignment and original name different partitions")
    sizes = {(topic, partition): size for topic, partition, size in document["sizes"]}
    steps = tuple(Step(*key, before[key], after[key], sizes[key]) for key in sorted(after) if before[key] != after[key])
    return RebalancePlan(
        kind=document["kind"],
        cluster=document["cluster"],
        cluster_id=document["cluster_id"],
        fingerprint=document["fingerprint"],
        steps=steps,
        untouched={key: replicas for key, replicas in before.items() if after[key] == replicas},
        brokers=tuple(_broker(int(id), body) for id, body in sorted(document["brokers"].items())),
        spread_before=Spread(**document["spread_before"]),
        spread=Spread(**document["spread"]),
        violations_before=_violations(document["violations_before"]),
        violations=_violations(document["violations"]),
        certificate=Certificate(document["bound"]["moves"], document["bound"]["bytes"], document["constraints"]),
        notes=tuple(document["notes"]),
        is_replication_change=document["is_replication_change"],
        seconds=document["seconds"],
    )


def _placement(document: Mapping[str, Any]) -> dict[PartitionKey, tuple[int, ...]]:
    return {(part["topic"], part["partition"]): tuple(part["replicas"]) for part in document["partitions"]}


def _broker(id: int, body: Mapping[str, Any]) -> BrokerChange:
    own = dict(body)
    broker = Broker(id, *(own.pop(key) for key in ("fd", "ud", "rack", "free")))
    return BrokerChange(broker=broker, before=Load(**own.pop("before")), after=Load(**own.pop("after")), **own)


def _violations(documents: Iterable[Mapping[str, Any]]) -> tuple[Violation, ...]:
    return tuple(Violation(**document) for document in documents)
