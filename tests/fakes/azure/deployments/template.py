"""A template and its parameters → resources with everything worked out that is known before the deployment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hdictl.arm.evaluate import Place, Scope, resolve
from hdictl.arm.expression import BadExpression
from tests.fakes.azure.deployments.order import check_order
from tests.fakes.azure.messages import Refused
from tests.fakes.azure.names import TENANT_ID, ResourceId, parse_id
from tests.fakes.azure.vault import Vaults


@dataclass(frozen=True)
class Wanted:
    """One resource of a template. `body` may still hold `reference(…)`."""

    id: str
    type: str
    name: str
    api_version: str
    body: Mapping[str, Any]
    depends_on: tuple[str, ...]  # ids, lower case

    @property
    def resource_id(self) -> ResourceId:
        return parse_id(self.id)


@dataclass(frozen=True)
class Worked:
    resources: tuple[Wanted, ...]
    outputs: Mapping[str, Any]
    place: Place
    secure: Mapping[str, str]  # secure parameter → value
    parameters: Mapping[str, Mapping[str, Any]]  # as a GET tells them


def place_of(subscription: str, group: str, location: str) -> Place:
    return Place(subscription, group, location, TENANT_ID)


def work_out(properties: Mapping[str, Any], place: Place, vaults: Vaults) -> Worked:
    """Raises `Refused` with InvalidTemplate or what else ARM says before it starts."""
    template = properties.get("template")
    if not isinstance(template, Mapping) or not isinstance(template.get("resources"), list):
        raise invalid("Unable to process template language expressions: the template is missing or has no resources.")
    declared = template.get("parameters") or {}
    values = _values(declared, properties.get("parameters") or {}, vaults)
    scope = Scope(parameters=values, variables=template.get("variables") or {}, place=place)
    try:
        listed = [found for each in template["resources"] for found in _resources(each, scope)]
        outputs = {name: resolve(each, scope) for name, each in (template.get("outputs") or {}).items()}
    except (BadExpression, ValueError) as problem:
        raise invalid(f"Unable to process template language expressions: {problem}") from None
    resources = check_order(listed, place)
    secure = {name: values[name] for name, each in declared.items() if is_secure(each)}
    return Worked(tuple(resources), outputs, place, secure, _told(declared, values))


def is_secure(declared: Mapping[str, Any]) -> bool:
    return str(declared.get("type", "")).lower() in ("securestring", "secureobject")


def invalid(message: str) -> Refused:
    return Refused(400, "InvalidTemplate", f"Deployment template validation failed: '{message}'.")


def _values(declared: Mapping[str, Any], given: Mapping[str, Any], vaults: Vaults) -> dict[str, Any]:
    folded = {name.lower(): name for name in declared}
    unknown = sorted(name for name in given if name.lower() not in folded)
    if unknown:
        raise invalid(
            f"The template parameters '{', '.join(unknown)}' in the parameters file are not valid; they are not "
            "present in the original template and can therefore not be provided at deployment time"
        )
    values: dict[str, Any] = {}
    sent = {folded[name.lower()]: value for name, value in given.items()}
    for name, declaration in declared.items():
        if name in sent:
            values[name] = _value(name, sent[name], declaration, vaults)
        elif "defaultValue" in declaration:
            values[name] = resolve(declaration["defaultValue"], Scope())
        else:
            raise invalid(f"The value for the template parameter '{name}' is not provided")
    return values


_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "securestring": str,
    "int": int,
    "bool": bool,
    "array": list,
    "object": dict,
    "secureobject": dict,
}


def _value(name: str, sent: Any, declaration: Mapping[str, Any], vaults: Vaults) -> Any:
    if not isinstance(sent, Mapping) or not set(sent) <= {"value", "reference", "metadata"}:
        raise Refused(400, "InvalidRequestContent", f"The request content was invalid: parameter '{name}'.")
    value = vaults.resolve(name, sent["reference"]) if "reference" in sent else sent.get("value")
    if not isinstance(value, _TYPES.get(str(declaration.get("type")).lower(), object)):
        raise invalid(f"Template parameter '{name}' is not of the type '{declaration.get('type')}'")
    allowed = declaration.get("allowedValues")
    if allowed and value not in allowed:
        raise invalid(f"The provided value for the template parameter '{name}' is not part of the allowed values")
    if isinstance(value, str) and len(value) < declaration.get("minLength", 0):
        raise invalid(f"The provided value for the template parameter '{name}' is shorter than minLength")
    return value


def _told(declared: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Values of secure parameters are never told."""
    types = {"securestring": "SecureString", "secureobject": "SecureObject"}
    return {
        name: {"type": types[str(each["type"]).lower()]}
        if is_secure(each)
        else {"type": str(each["type"]).capitalize(), "value": values[name]}
        for name, each in declared.items()
    }


def _resources(written: Mapping[str, Any], scope: Scope) -> list[dict[str, Any]]:
    """One resource, or one a turn of its copy loop; a false condition leaves it out."""
    loop = written.get("copy")
    if isinstance(loop, Mapping):
        count = resolve(loop["count"], scope)
        turns = [scope.inside(loop["name"], index) for index in range(count)]
    else:
        turns = [scope]
    body = {key: value for key, value in written.items() if key != "copy"}
    found = [resolve(body, turn) for turn in turns]
    return [each for each in found if each.get("condition", True)]
