"""Calls of modules laid into one flat template, with complete dependencies and in an order that never changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hdictl.arm.addresses import Key, address, key, named_in, parents
from hdictl.arm.modules import BadCall, Call, module

GROUP_SCHEMA = "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#"
SUBSCRIPTION_SCHEMA = "https://schema.management.azure.com/schemas/2018-05-01/subscriptionDeploymentTemplate.json#"

_HEAD = ("type", "apiVersion", "name", "scope", "location", "tags", "dependsOn")


def flat(
    schema: str, calls: Iterable[Call], *, secure: Iterable[str] = (), outputs: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """`secure` has the names of parameters whose values are secrets."""
    made = [(resource, call.after) for call in calls for resource in module(call.module).resources(call.values)]
    return {
        "$schema": schema,
        "contentVersion": "1.0.0.0",
        "parameters": {name: {"type": "secureString"} for name in sorted(secure)},
        "resources": _linked(made),
        **({"outputs": outputs} if outputs else {}),
    }


def _linked(made: list[tuple[dict[str, Any], tuple[str, ...]]]) -> list[dict[str, Any]]:
    """Every resource waits for what it names, for what it is a part of, and for what its call says."""
    known: dict[Key, str] = {}
    for resource, _ in made:
        if key(resource) in known:
            raise BadCall(f"{' '.join(key(resource))} is made twice")
        known[key(resource)] = address(resource)
    addresses = set(known.values())
    linked = []
    for resource, after in made:
        waits = {*resource["dependsOn"], *(each for each in after if each in addresses)}
        if missing := sorted(waits - addresses):
            raise BadCall(f"{' '.join(key(resource))} waits for {missing[0]}, which is not in the template")
        waits |= _named(resource, known)
        waits.discard(known[key(resource)])
        linked.append(_ordered({**resource, "dependsOn": sorted(waits)}))
    return linked


def _named(resource: Mapping[str, Any], known: Mapping[Key, str]) -> set[str]:
    body = {name: value for name, value in resource.items() if name != "dependsOn"}
    found = {*parents(key(resource))}
    for named in named_in(body):
        # A subnet is a part of its VNet and no resource of the template: the VNet is what has to be there.
        found.add(next((each for each in (named, *parents(named)) if each in known), named))
    return {known[each] for each in found if each in known}


def _ordered(resource: Mapping[str, Any]) -> dict[str, Any]:
    head = {name: resource[name] for name in _HEAD if resource.get(name) not in (None, [])}
    return {**head, **{name: value for name, value in resource.items() if name not in _HEAD}}
