"""The functions of ARM's template language that our modules use, and what each one is when its arguments are known."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import reduce
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hdictl.arm.evaluate import Place


def _concat(*parts: Any) -> Any:
    if parts and all(isinstance(part, (list, tuple)) for part in parts):
        return [item for part in parts for item in part]
    return "".join(_string(part) for part in parts)


def _format(pattern: str, *values: Any) -> str:
    return re.sub(r"\{(\d+)\}", lambda match: _string(values[int(match[1])]), pattern)


def _string(value: Any) -> str:
    if isinstance(value, bool):
        return "True" if value else "False"
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def _union(*parts: Any) -> Any:
    if all(isinstance(part, Mapping) for part in parts):
        return reduce(lambda left, right: {**left, **right}, parts, {})
    merged = [item for part in parts for item in part]
    return [item for index, item in enumerate(merged) if item not in merged[:index]]


def _equals(left: Any, right: Any) -> bool:
    """Text is compared without regard to case, as ARM does."""
    both_text = isinstance(left, str) and isinstance(right, str)
    return left.lower() == right.lower() if both_text else bool(left == right)


def _create_object(*parts: Any) -> dict[str, Any]:
    return dict(zip(parts[::2], parts[1::2], strict=True))


KNOWN: Mapping[str, Callable[..., Any]] = {
    "and": lambda *parts: all(parts),
    "bool": lambda value: str(value).lower() in ("true", "1"),
    "coalesce": lambda *parts: next((part for part in parts if part is not None), None),
    "concat": _concat,
    "contains": lambda container, item: item in container,
    "createarray": lambda *parts: list(parts),
    "createobject": _create_object,
    "empty": lambda value: value is None or len(value) == 0,
    "equals": _equals,
    "extensionresourceid": lambda base, kind, *names: f"{base}/providers/{_typed(kind, names)}",
    "false": lambda: False,
    "first": lambda value: value[0],
    "format": _format,
    "greater": lambda left, right: left > right,
    "if": lambda condition, yes, no: yes if condition else no,
    "int": int,
    "json": json.loads,
    "last": lambda value: value[-1],
    "length": len,
    "not": lambda value: not value,
    "null": lambda: None,
    "or": lambda *parts: any(parts),
    "replace": lambda text, old, new: text.replace(old, new),
    "split": lambda text, separator: text.split(separator),
    "string": _string,
    "tolower": str.lower,
    "true": lambda: True,
    "union": _union,
}
BUILDS = frozenset({"createarray", "createobject"})
# These put values together or take them apart without looking into them.
MOVES_ONLY = frozenset({"coalesce", "concat", "empty", "first", "if", "last", "length", "union"})


def _resource_id(place: Place, *arguments: str) -> str:
    """`resourceId([subscription,] [group,] 'Namespace/type[/sub…]', name[, name…])`"""
    kind = next(index for index, argument in enumerate(arguments) if "/" in argument)
    names = arguments[kind + 1 :]
    before = arguments[:kind]
    group = before[-1] if before else place.resource_group
    subscription = before[0] if len(before) == 2 else place.subscription
    return f"/subscriptions/{subscription}/resourceGroups/{group}/providers/{_typed(arguments[kind], names)}"


def _typed(kind: str, names: tuple[str, ...]) -> str:
    namespace, *types = kind.split("/")
    if len(types) != len(names):
        raise ValueError(f"`{kind}` takes {len(types)} names, {len(names)} are given")
    return "/".join([namespace, *(part for pair in zip(types, names, strict=True) for part in pair)])


OF_THE_PLACE: Mapping[str, Callable[..., Any]] = {
    "resourceid": _resource_id,
    "subscriptionresourceid": lambda place, kind, *names: (
        f"/subscriptions/{place.subscription}/providers/{_typed(kind, names)}"
    ),
    "subscription": lambda place: {"subscriptionId": place.subscription, "tenantId": place.tenant},
    "resourcegroup": lambda place: {"id": place.group_id, "name": place.resource_group, "location": place.location},
}
OF_THE_DEPLOYMENT = frozenset({"reference"})
