"""Plans as files, and the fingerprint that tells a stale one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import ValidationError

from hdictl.errors import PlanStale, PlanUnreadable
from hdictl.plan.change import Plan
from hdictl.plan.observed import ObservedCluster
from hdictl.stack.topics import TopicSpec


def fingerprint(
    desired: Sequence[TopicSpec], deleted: Sequence[tuple[str, str]], observed: Sequence[ObservedCluster]
) -> str:
    """A digest of everything a plan was computed from: the stack's topics, and what the clusters say of *those*.

    A topic that is none of the stack's may come and go without making a plan stale.
    """
    managed = {(spec.cluster, spec.name) for spec in desired} | set(deleted)
    seen = {
        "desired": [
            [spec.cluster, spec.name, spec.partitions, spec.replication, sorted(spec.config.items())]
            for spec in desired
        ],
        "deleted": sorted(deleted),
        "clusters": [
            {
                "id": cluster.cluster_id,
                "brokers": [[broker.id, broker.fd, broker.ud] for broker in cluster.brokers],
                "topics": [
                    [topic.name, topic.assignment, sorted(topic.config.items())]
                    for name, topic in sorted(cluster.topics.items())
                    if (cluster.cluster, name) in managed
                ],
            }
            for cluster in observed
        ],
    }
    return hashlib.sha256(json.dumps(seen, sort_keys=True).encode()).hexdigest()


def write_plan(plan: Plan, file: Path) -> None:
    """Whole or not at all: a reader never meets half a plan."""
    partial = file.with_name(f"{file.name}.partial")
    partial.write_text(plan.model_dump_json(indent=2) + "\n", encoding="utf-8")
    partial.replace(file)


def read_plan(file: Path) -> Plan:
    try:
        return Plan.model_validate_json(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise PlanUnreadable("there is no such plan", where=str(file), fix="make one: hdictl plan --out FILE") from None
    except (OSError, UnicodeDecodeError) as error:
        raise PlanUnreadable(f"cannot be read: {error}", where=str(file), fix="name a readable plan") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        raise PlanUnreadable(
            f"is not a plan of this version of hdictl ({place}: {first['msg']})",
            where=str(file),
            fix="make a new one: hdictl plan --out FILE",
        ) from None


def require_fresh(saved: Plan, now: Plan, file: Path) -> None:
    """Refuse a plan that no longer fits, and say what moved."""
    if saved.fingerprint == now.fingerprint:
        return
    raise PlanStale(
        f"the plan is stale: {'; '.join(_moved(saved, now))}", where=str(file), fix="plan again: hdictl plan --out FILE"
    )


def _moved(saved: Plan, now: Plan) -> list[str]:
    moved = []
    for name in sorted(saved.clusters.keys() | now.clusters.keys()):
        before, after = saved.clusters.get(name), now.clusters.get(name)
        if before is None or after is None:
            moved.append(f"cluster `{name}` {'is new' if before is None else 'is gone from the stack'}")
        elif before.cluster_id != after.cluster_id:
            moved.append(f"cluster `{name}` was {before.cluster_id} and is now {after.cluster_id}")
        elif before.brokers != after.brokers:
            moved.append(f"brokers of `{name}` were {list(before.brokers)} and are now {list(after.brokers)}")
    then = {change.address: _intent(change.fields) for change in saved.changes}
    today = {change.address: _intent(change.fields) for change in now.changes}
    for address in sorted(then.keys() | today.keys()):
        if address not in today:
            moved.append(f"{address} needs no change any more")
        elif address not in then:
            moved.append(f"{address} needs a change now")
        elif then[address] != today[address]:
            moved.append(f"{address} would change otherwise")
    return moved or ["the stack or a topic it names is not what it was (replicas, domains or settings)"]


def _intent(fields: Iterable[object]) -> list[str]:
    return sorted(str(field) for field in fields)
