"""A deployment's resources as Azure would get them: with ids and plain values in place of expressions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hdictl.arm.deployment import Deployment, DeploymentScope
from hdictl.arm.evaluate import Deferred, Place, Scope, resolve
from hdictl.arm.expression import Call, Literal, unescaped


def resolved_resources(deployment: Deployment, place: Place) -> tuple[Mapping[str, Any], ...]:
    """Each with its full id under `id`. What the deployment alone knows stays as text: `[reference(…)]`, and
    `[parameters('…')]` of a secret. Text that a template has to escape is itself again."""
    scope = Scope(_parameters(deployment), deployment.template.get("variables", {}), place=place)
    return tuple(_with_id(deployment.scope, place, _plain(resolve(each, scope))) for each in deployment.resources)


def _parameters(deployment: Deployment) -> dict[str, Any]:
    values = {}
    for name, said in deployment.template["parameters"].items():
        given = deployment.parameters.get(name, {})
        known = given.get("value", said.get("defaultValue"))
        is_secret = str(said["type"]).lower().startswith("secure")
        values[name] = Deferred(Call("parameters", (Literal(name),))) if is_secret or known is None else known
    return values


def _with_id(scope: DeploymentScope, place: Place, resource: dict[str, Any]) -> Mapping[str, Any]:
    if scope is DeploymentScope.SUBSCRIPTION:
        base = f"/subscriptions/{place.subscription}"
        if resource["type"].lower() == "microsoft.resources/resourcegroups":
            return {"id": f"{base}/resourceGroups/{resource['name']}", **resource}
    else:
        base = resource.get("scope", place.group_id)
    namespace, *types = resource["type"].split("/")
    pairs = zip(types, resource["name"].split("/"), strict=True)
    return {"id": "/".join([base, "providers", namespace, *(part for pair in pairs for part in pair)]), **resource}


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return unescaped(value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return {key: _plain(item) for key, item in value.items()} if isinstance(value, dict) else value
