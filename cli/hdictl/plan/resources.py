"""Resources of a rendered template against what Azure holds: everything that is said must be there; what is there
beyond that is the service's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hdictl.plan.change import Action, Change, FieldChange
from hdictl.plan.cloud import CloudResource, is_open
from hdictl.stack.locations import canonical

# Not a part of what is kept: how the resource is addressed, and in which order it is made.
_ENVELOPE = {"type", "name", "apiVersion", "dependsOn", "id", "scope", "comments", "condition"}
# Never returned, or only meant for the moment of creation.
_WRITE_ONLY = {"createMode"}
# Actions in the form of a resource: there is nothing to read back.
UNREADABLE = {"microsoft.keyvault/vaults/accesspolicies"}

# Lists that a deployment replaces as a whole: what it does not name is taken away.
_WHOLE_LISTS = {
    "microsoft.network/virtualnetworks": "subnets",
    "microsoft.network/networksecuritygroups": "securityRules",
}

# Names that a stack's own security rules have: one that left the stack has to leave the group, or stays open.
OWN_RULES = frozenset(
    {
        "allow-hdinsight-management",
        "allow-azure-resolver",
        "allow-hdinsight-rest-proxy",
        "allow-admins",
        "allow-admins-rest-proxy",
    }
)

_REASON = "the template is deployed again; what is there already stays"


def compare_resource(rendered: Mapping[str, Any], living: CloudResource | None) -> Change | None:
    """One resource that is not a cluster."""
    if str(rendered["type"]).lower() in UNREADABLE:
        return None
    address = resource_address(rendered)
    if living is None:
        reason = "it does not exist"
        field = FieldChange(field="type", after=rendered["type"], action=Action.CREATE, reason=reason)
        return Change(action=Action.CREATE, address=address, fields=(field,))
    wanted = {key: value for key, value in rendered.items() if key not in _ENVELOPE}
    fields = tuple(
        FieldChange(field=path, before=before, after=after, action=Action.UPDATE, reason=_REASON)
        for path, before, after in _differences(wanted, living.body or {}, "")
    )
    return Change(action=Action.UPDATE, address=address, fields=fields) if fields else None


def taken_away(rendered: Mapping[str, Any], living: CloudResource | None) -> tuple[str, ...]:
    """Names of what is there and would not be there after a deployment."""
    part = _WHOLE_LISTS.get(str(rendered["type"]).lower())
    if part is None or living is None:
        return ()
    wanted, seen = ((body.get("properties") or {}).get(part) or () for body in (rendered, living.body or {}))
    named = {str(item["name"]).lower() for item in wanted}
    kept = named | OWN_RULES  # one of ours that left the stack is a change, and is shown as such
    return tuple(sorted(str(item["name"]) for item in seen if str(item["name"]).lower() not in kept))


def resource_address(resource: Mapping[str, Any]) -> str:
    return f"resource:{str(resource['type']).partition('/')[2]}/{resource['name']}"


def _differences(wanted: Any, seen: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """Paths at which `seen` lacks, or contradicts, what is wanted."""
    if is_open(wanted):
        return  # known at deployment alone
    if isinstance(wanted, Mapping):
        if not isinstance(seen, Mapping):
            yield from _unlike(wanted, seen, path)
            return
        folded = {str(key).lower(): value for key, value in seen.items()}
        for key, value in wanted.items():
            if key not in _WRITE_ONLY:
                yield from _differences(value, folded.get(str(key).lower()), f"{path}.{key}" if path else key)
    elif isinstance(wanted, list):
        yield from _list_differences(wanted, seen if isinstance(seen, list) else [], path)
    elif not _is_same(wanted, seen, path):
        yield path, seen, wanted


def _unlike(wanted: Mapping[str, Any], seen: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """Nothing where an object is wanted: a difference, unless nothing is wanted that could be known."""
    if any(True for _ in _differences(dict(wanted), {}, path)):
        yield path, seen, "(set)"


def _list_differences(wanted: Sequence[Any], seen: Sequence[Any], path: str) -> Iterator[tuple[str, Any, Any]]:
    """Named items are found by name, others by being alike; the service adds items, and orders them as it likes."""
    named = {str(item.get("name")).lower(): item for item in seen if isinstance(item, Mapping) and item.get("name")}
    for index, item in enumerate(wanted):
        name = item.get("name") if isinstance(item, Mapping) else None
        if name is not None and not is_open(name):
            place = f"{path}[{name}]"
            if str(name).lower() not in named:
                yield place, None, "(new)"
            else:
                yield from _differences(item, named[str(name).lower()], place)
        elif not any(not list(_differences(item, other, path)) for other in seen):
            yield f"{path}[{index}]", None, item if not isinstance(item, Mapping) else "(new)"
    yield from _too_many(wanted, seen, path)


def _too_many(wanted: Sequence[Any], seen: Sequence[Any], path: str) -> Iterator[tuple[str, Any, Any]]:
    """What is there and is wanted no more. Lists of plain values are the stack's alone: addresses, ports, zones."""
    if wanted and not any(isinstance(item, (Mapping, list)) for item in (*wanted, *seen)):
        for other in seen:
            if not any(_is_same(item, other, path) for item in wanted):
                yield f"{path}[{other}]", other, None
    if path.rpartition(".")[2] == "securityRules":
        named = {item.get("name") for item in wanted}
        for other in seen:
            if other.get("name") in OWN_RULES - named:
                yield f"{path}[{other['name']}]", "(there)", None


def _is_same(wanted: Any, seen: Any, path: str) -> bool:
    if wanted == seen or (seen is None and wanted is False):
        return True
    if isinstance(wanted, str) and isinstance(seen, str):
        if path.rpartition(".")[2] == "location":
            return canonical(wanted) == canonical(seen)
        return wanted.lower().rstrip("/") == seen.lower().rstrip("/")  # ids and enums come back in other case
    # Numbers come back as text and the other way round: ports, priorities.
    return wanted is not None and seen is not None and str(wanted).lower() == str(seen).lower()
