"""Ids of a template's resources, and what each waits for."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hdictl.arm.evaluate import Place
from tests.fakes.azure.messages import Refused

if TYPE_CHECKING:
    from tests.fakes.azure.deployments.template import Wanted

GROUP_TYPE = "microsoft.resources/resourcegroups"


def check_order(listed: list[dict[str, Any]], place: Place) -> list[Wanted]:
    """Raises `Refused` for a malformed resource, a double one, an unknown dependency, and a circle."""
    from tests.fakes.azure.deployments.template import Wanted, invalid

    ids = [_id(each, place) for each in listed]
    folded = [id.lower() for id in ids]
    for id in folded:
        if folded.count(id) > 1:
            raise invalid(f"The resource '{id}' is defined multiple times in a template")
    wanted = []
    for id, each in zip(ids, listed, strict=True):
        named = [_dependency(text, listed, ids) for text in each.get("dependsOn") or ()]
        for text, found in zip(each.get("dependsOn") or (), named, strict=True):
            if found is None:
                raise invalid(f"The resource '{text}' is not defined in the template; '{each['name']}' depends on it")
        depends = tuple(found.lower() for found in named if found)
        wanted.append(Wanted(id, each["type"], each["name"], each["apiVersion"], each, depends))
    _no_circle(wanted)
    return wanted


def _id(resource: Mapping[str, Any], place: Place) -> str:
    from tests.fakes.azure.deployments.template import invalid

    for key in ("type", "name", "apiVersion"):
        if not isinstance(resource.get(key), str):
            raise invalid(f"The template resource '{resource.get('name')}' has no '{key}'")
    kind, name = str(resource["type"]), str(resource["name"])
    if kind.lower() == GROUP_TYPE:
        return f"/subscriptions/{place.subscription}/resourceGroups/{name}"
    namespace, *types = kind.split("/")
    names = name.split("/")
    if len(types) != len(names):
        raise invalid(f"The template resource '{name}' for type '{kind}' has incorrect segment lengths")
    pairs = "/".join(f"{type}/{part}" for type, part in zip(types, names, strict=True))
    scope = resource.get("scope")
    at = str(scope) if scope else (place.group_id if place.resource_group else f"/subscriptions/{place.subscription}")
    return f"{_full_scope(at, place)}/providers/{namespace}/{pairs}"


def _full_scope(scope: str, place: Place) -> str:
    """A scope is an id, or `Namespace/type/name` of a resource in the same group."""
    return scope if scope.startswith("/") else f"{place.group_id}/providers/{scope}"


def _dependency(text: str, listed: list[dict[str, Any]], ids: list[str]) -> str | None:
    for id, resource in zip(ids, listed, strict=True):
        if text.lower() in (id.lower(), str(resource["name"]).lower()):
            return id
        if text.lower() == f"{resource['type']}/{resource['name']}".lower():
            return id
    return None


def _no_circle(wanted: list[Wanted]) -> None:
    from tests.fakes.azure.deployments.template import invalid

    left = {each.id.lower(): set(each.depends_on) for each in wanted}
    while left:
        free = {id for id, waits in left.items() if not waits & set(left)}
        if not free:
            raise invalid(f"Circular dependency detected on resource: '{sorted(left)[0]}'")
        left = {id: waits for id, waits in left.items() if id not in free}


def races(wanted: list[Wanted]) -> list[str]:
    """A resource that names another one of the template, and does not wait for it, works on some days."""
    direct = {each.id.lower(): set(each.depends_on) for each in wanted}
    found = []
    for each in wanted:
        waits = _closure(each.id.lower(), direct)
        body = {key: value for key, value in each.body.items() if key not in ("dependsOn", "name", "scope")}
        for other in sorted(set(direct) - waits - {each.id.lower()}):
            if any(text == other or text.startswith((f"{other}/", f"[reference('{other}'")) for text in _texts(body)):
                found.append(f"{each.id} uses {other} and does not depend on it")
    return found


def _closure(id: str, direct: Mapping[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    ahead = set(direct[id])
    while ahead:
        reached |= ahead
        ahead = {other for each in ahead for other in direct[each]} - reached
    return reached


def _texts(value: Any) -> Iterator[str]:
    """Every text in it, in lower case; keys too, since identities are assigned by key."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key).lower()
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, str):
        yield value.lower()


def refused_as_json(refused: Refused) -> str:
    """A provider's refusal arrives as text inside ARM's error."""
    return json.dumps({"error": refused.error}, indent=2).replace("\n", "\r\n")
