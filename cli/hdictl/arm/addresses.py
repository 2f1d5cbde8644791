"""How one resource of a template names another: by an expression for its id."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hdictl.arm.expression import Access, BadExpression, Call, Expression, Literal, is_expression, parse, to_text

Key = tuple[str, ...]  # type, then names, all in lower case: ARM does not mind it


def resource_id(kind: str, *names: str) -> str:
    """`[resourceId('Microsoft.Network/virtualNetworks', 'stack-westeurope-vnet')]`"""
    return to_text(Call("resourceId", tuple(map(Literal, (kind, *names)))))


def address(resource: Mapping[str, Any]) -> str:
    """The expression for the id of a resource with a plain name; one on top of another has that one's id inside."""
    kind, names = resource["type"], resource["name"].split("/")
    if "scope" not in resource:
        return resource_id(kind, *names)
    scope = resource["scope"]
    base = parse(scope) if is_expression(scope) else Literal(scope)
    return to_text(Call("extensionResourceId", (base, *map(Literal, (kind, *names)))))


def key(resource: Mapping[str, Any]) -> Key:
    return tuple(part.lower() for part in (resource["type"], *resource["name"].split("/")))


def parents(key: Key) -> Iterator[Key]:
    """Of `…/virtualNetworks/subnets` the `…/virtualNetworks`, and so on upwards."""
    kind, *names = key
    while kind.count("/") > 1 and len(names) > 1:
        kind, names = kind.rpartition("/")[0], names[:-1]
        yield (kind, *names)


def named_in(value: Any) -> Iterator[Key]:
    """Every resource of the same group that the expressions in a JSON value name by `resourceId`."""
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from named_in(name)
            yield from named_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from named_in(item)
    elif isinstance(value, str) and is_expression(value):
        yield from _named(parse(value))


def _named(expression: Expression) -> Iterator[Key]:
    if isinstance(expression, Access):
        yield from _named(expression.of)
        yield from _named(expression.member)
    elif isinstance(expression, Call):
        if expression.name.lower() == "resourceid":
            yield from _key_of(expression)
        for argument in expression.arguments:
            yield from _named(argument)


def _key_of(call: Call) -> Iterator[Key]:
    words = [argument.value for argument in call.arguments if isinstance(argument, Literal)]
    if len(words) != len(call.arguments) or not words:
        raise BadExpression(f"`{to_text(call)}`: what it names is not known before the deployment")
    if "/" in str(words[0]):  # the first word is the type and not a group: it is in this template's own group
        yield tuple(str(word).lower() for word in words)
