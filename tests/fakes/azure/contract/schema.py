"""A JSON value against a schema of Swagger 2.0, with what Azure adds to it: read-only properties, open enumerations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

from tests.fakes.azure.contract.documents import Node


class Side(str, Enum):
    REQUEST = "request"
    RESPONSE = "response"


_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (Mapping,),
}


def differences(value: Any, schema: Node, side: Side, path: str = "body") -> Iterator[str]:
    """What is wrong with a value. Null passes for absent, as ARM takes it."""
    schema = schema.target()
    if value is None or _is_anything(schema.value):
        return
    kind = schema.value.get("type") or ("object" if {"properties", "allOf"} & set(schema.value) else "")
    if not _is_a(value, str(kind)):
        yield f"{path} is {type(value).__name__}, not {kind}"
        return
    yield from _limits(value, schema.value, path)
    if isinstance(value, list) and "items" in schema.value:
        items = Node(schema.file, schema.value["items"])
        for index, each in enumerate(value):
            yield from differences(each, items, side, f"{path}[{index}]")
    if isinstance(value, Mapping):
        yield from _members(value, schema, side, path)


def _is_a(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind in ("boolean", "")
    return isinstance(value, _TYPES.get(kind, (object,)))


def _is_anything(schema: Mapping[str, Any]) -> bool:
    """An object of which nothing more is said stands for any JSON, a text as well."""
    return schema.get("type") == "object" and not {"properties", "additionalProperties", "allOf"} & set(schema)


def _limits(value: Any, schema: Mapping[str, Any], path: str) -> Iterator[str]:
    allowed = schema.get("enum")
    # ARM does not mind the case of what is enumerated.
    if allowed and str(value).lower() not in [str(each).lower() for each in allowed]:
        yield f"{path} is {value!r}, none of {', '.join(map(str, allowed))}"
    pattern = schema.get("pattern")
    if pattern and isinstance(value, str) and not re.search(pattern, value):
        yield f"{path} is {value!r} and does not match {pattern}"
    if isinstance(value, str) and len(value) > schema.get("maxLength", len(value)):
        yield f"{path} is longer than {schema['maxLength']}"
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if is_number and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        yield f"{path} is {value}, out of range"


def _members(value: Mapping[str, Any], schema: Node, side: Side, path: str) -> Iterator[str]:
    known, required, extra = _shape(schema)
    for name in required:
        is_read_only = name in known and known[name].value.get("readOnly")
        if value.get(name) is None and not (side is Side.REQUEST and is_read_only):
            yield f"{path}.{name} is required"
    for name, each in value.items():
        if name in known:
            member = known[name]
            if side is Side.REQUEST and member.target().value.get("readOnly") and each is not None:
                yield f"{path}.{name} is read-only"
            else:
                yield from differences(each, member, side, f"{path}.{name}")
        elif isinstance(extra, Node):
            yield from differences(each, extra, side, f"{path}.{name}")
        elif not extra:
            yield f"{path}.{name} is not known"


def _shape(schema: Node) -> tuple[dict[str, Node], set[str], Node | bool]:
    """Properties, which of them are required, and what other ones may be. Without properties anything goes."""
    schema = schema.target()
    known = {name: Node(schema.file, each) for name, each in (schema.value.get("properties") or {}).items()}
    required = set(schema.value.get("required") or ())
    said = schema.value.get("additionalProperties")
    extra: Node | bool = Node(schema.file, said) if isinstance(said, Mapping) else bool(said)
    parts = schema.value.get("allOf") or ()
    for part in parts:
        more, needed, theirs = _shape(Node(schema.file, part))
        known = {**more, **known}
        required |= needed
        extra = extra or (theirs if isinstance(theirs, Node) else False)
    if not known and said is None and not parts:
        extra = True
    return known, required, extra
