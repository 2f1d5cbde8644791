"""What-if: what a deployment would change, as the server sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tests.fakes.azure.deployments.order import GROUP_TYPE
from tests.fakes.azure.deployments.references import References
from tests.fakes.azure.deployments.template import Wanted, Worked
from tests.fakes.azure.messages import Refused
from tests.fakes.azure.secrets import redacted
from tests.fakes.azure.world import World

_NOT_COMPARED = {"type", "name", "apiVersion", "dependsOn", "scope", "condition", "comments"}


def what_if(world: World, worked: Worked) -> list[dict[str, Any]]:
    references = References(world, worked.place)
    changes = [_change(world, wanted, references) for wanted in worked.resources]
    named = {wanted.id.lower() for wanted in worked.resources}
    group = worked.place.group_id.lower()
    beside = [
        {"resourceId": str(each.id), "changeType": "Ignore"}
        for id, each in world.resources.items()
        if worked.place.resource_group and id.startswith(f"{group}/") and id not in named and each.id.parent is None
    ]
    return changes + beside


def _change(world: World, wanted: Wanted, references: References) -> dict[str, Any]:
    found: dict[str, Any] = {"resourceId": wanted.id}
    if wanted.type.lower() == GROUP_TYPE:
        exists = wanted.name.lower() in world.groups
        return {**found, "changeType": "NoChange" if exists else "Create"}
    existing = world.find(wanted.resource_id)
    if existing is None:
        return {**found, "changeType": "Create"}
    try:
        after = redacted(references.fill(wanted.body))
    except Refused:
        return {**found, "changeType": "Unsupported", "unsupportedReason": "It refers to what does not exist yet."}
    before = world.kind(existing.id).shown(world, existing)
    delta = list(_differences(before, {key: value for key, value in after.items() if key not in _NOT_COMPARED}))
    return {**found, "changeType": "Modify" if delta else "NoChange"} | ({"delta": delta} if delta else {})


def _differences(before: Any, after: Any, path: str = "") -> Iterator[dict[str, Any]]:
    """Only what the template says is compared. Real what-if is noisy; so is this: lower-cased sizes and display
    locations are differences to it."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key, value in after.items():
            where = f"{path}.{key}" if path else key
            if key not in before:
                yield {"path": where, "propertyChangeType": "Create", "after": value}
            else:
                yield from _differences(before[key], value, where)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _differences(one, other, f"{path}[{index}]")
    elif before != after:
        yield {"path": path, "propertyChangeType": "Modify", "before": before, "after": after}
