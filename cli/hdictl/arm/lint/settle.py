"""A template's values, worked out as far as they can be known, for judging and not for deploying.

Unlike `hdictl.arm.evaluate` this never fails: whatever cannot be worked out (a parameter without a value, `reference`,
a function that is not ours, a broken expression) becomes a mark, and text around it stays text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from hdictl.arm import functions
from hdictl.arm.evaluate import Place
from hdictl.arm.expression import Access, BadExpression, Call, Expression, Literal, is_expression, to_text
from hdictl.arm.lint.language import tree
from hdictl.arm.lint.marks import holds_secret, is_known, is_unknown_whole, readable, unknown
from hdictl.stack.shown import shown

MAX_TEXT = 20_000
MAX_LOOP = 200  # of a loop that is longer, the first are looked at
# These may hold marks; any other function of something unknown is unknown.
_TEXTUAL = frozenset({"concat", "createarray", "createobject", "extensionresourceid", "format", "string", "tolower"})
_HARMLESS = frozenset({"empty", "equals", "length", "not", "and", "or"})  # tell of a secret, and do not tell it
_BAD_ARGUMENTS = (ArithmeticError, AttributeError, LookupError, StopIteration, TypeError, ValueError, RecursionError)


@dataclass(frozen=True)
class Scope:
    """Names are in lower case: ARM does not mind."""

    place: Place
    parameters: Mapping[str, Any] = field(default_factory=dict)  # settled
    variables: Mapping[str, Any] = field(default_factory=dict)  # as written
    loops: Mapping[str, int | str] = field(default_factory=dict)  # "" is the innermost
    open_variables: frozenset[str] = frozenset()  # being worked out, so that a circle is noticed
    settled: dict[str, Any] = field(default_factory=dict, compare=False)  # variables, each worked out once

    def inside(self, loop: str, index: int | str) -> Scope:
        return replace(self, loops={**self.loops, loop.lower(): index, "": index})


def settle(value: Any, scope: Scope) -> Any:
    """JSON in, JSON out; null is left out of objects, as ARM takes it for absent."""
    if isinstance(value, str):
        return _text(value, scope)
    if isinstance(value, list):
        return [settle(item, scope) for item in value]
    if isinstance(value, Mapping):
        return _object(value, scope)
    return value


def rounds(loop: Any, scope: Scope) -> list[Scope]:
    """The scopes of a `copy` loop, one a round; a single unknown round when the count is not known."""
    name = str(loop.get("name", "")) if isinstance(loop, Mapping) else ""
    count = settle(loop.get("count"), scope) if isinstance(loop, Mapping) else None
    if isinstance(count, bool) or not isinstance(count, int):
        return [scope.inside(name, unknown(f"copyIndex('{name}')"))]
    return [scope.inside(name, index) for index in range(min(count, MAX_LOOP))]


def _text(text: str, scope: Scope) -> Any:
    if not is_expression(text):
        return text[1:] if text.startswith("[[") else text
    try:
        return value_of(tree(text), scope)
    except (BadExpression, RecursionError):
        return unknown(text)


def _object(value: Mapping[str, Any], scope: Scope) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, item in value.items():
        if key == "copy" and isinstance(item, list):
            for loop in item:
                if isinstance(loop, Mapping) and "name" in loop:
                    found[str(loop["name"])] = [settle(loop.get("input"), one) for one in rounds(loop, scope)]
        elif (settled := settle(item, scope)) is not None:
            found[str(settle(key, scope))] = settled
    return found


def value_of(expression: Expression, scope: Scope) -> Any:
    if isinstance(expression, Literal):
        return expression.value
    if isinstance(expression, Access):
        return _member(value_of(expression.of, scope), value_of(expression.member, scope))
    return _call(expression, scope)


def _member(of: Any, member: Any) -> Any:
    if isinstance(of, Mapping) and isinstance(member, str):
        for key, item in of.items():
            if key.lower() == member.lower():
                return item
    elif isinstance(of, list) and isinstance(member, int) and -1 < member < len(of):
        return of[member]
    # Of an object that holds a secret, another member than the secret one was found above.
    is_secret = isinstance(of, str) and holds_secret(of)
    return unknown(f"{_argument(of)}.{_argument(member).strip(chr(39))}", is_secret=is_secret)


def _call(call: Call, scope: Scope) -> Any:
    name = call.name.lower()
    if name == "if" and len(call.arguments) == 3:
        condition = value_of(call.arguments[0], scope)
        if isinstance(condition, bool):
            return value_of(call.arguments[1 if condition else 2], scope)
    arguments = [value_of(argument, scope) for argument in call.arguments]
    if name in ("parameters", "variables", "copyindex"):
        return _scoped(name, arguments, scope, call)
    if name in functions.OF_THE_PLACE or _can_be_worked_out(name, arguments):
        try:
            return _within_limits(_function(name, scope)(*arguments), call)
        except _BAD_ARGUMENTS:
            pass
    return _unknown_call(call.name, arguments)


def _can_be_worked_out(name: str, arguments: list[Any]) -> bool:
    if name in _TEXTUAL or (name == "union" and all(isinstance(one, Mapping) for one in arguments)):
        return True
    return all(map(is_known, arguments))


def _function(name: str, scope: Scope) -> Callable[..., Any]:
    if name in functions.OF_THE_PLACE:
        # `resourceId('Microsoft.Storage/storageAccounts/', …)`: Azure does not mind the slash.
        return lambda *arguments: functions.OF_THE_PLACE[name](scope.place, *map(_without_slash, arguments))
    return functions.KNOWN[name]


def _within_limits(found: Any, call: Call) -> Any:
    """Text can be doubled again and again; nobody's name is that long."""
    if isinstance(found, str) and len(found) > MAX_TEXT:
        return unknown(f"{call.name}(…)", is_secret=holds_secret(found))
    return found


def _unknown_call(name: str, arguments: list[Any]) -> str:
    told = shown(", ".join(map(_argument, arguments)), MAX_TEXT)
    if name.lower() in _HARMLESS:
        return unknown(f"{name}({readable(told)})")
    is_secret = name.lower().startswith("list") or any(map(holds_secret, arguments))
    return unknown(f"{name}({told})", is_secret=is_secret)


def _scoped(name: str, arguments: list[Any], scope: Scope, call: Call) -> Any:
    wanted = arguments[0].lower() if arguments and isinstance(arguments[0], str) else ""
    if name == "copyindex":
        offset = next((argument for argument in arguments if isinstance(argument, int)), 0)
        index = scope.loops.get(wanted, unknown(to_text(call)))
        return index + offset if isinstance(index, int) else index
    if name == "parameters" and wanted in scope.parameters:
        return scope.parameters[wanted]
    if name == "variables" and wanted in scope.variables and wanted not in scope.open_variables:
        if wanted not in scope.settled:
            inside = replace(scope, open_variables=scope.open_variables | {wanted})
            found = settle(scope.variables[wanted], inside)
            if scope.loops:  # it may speak of the round
                return found
            scope.settled[wanted] = found
        return scope.settled[wanted]
    return unknown(to_text(call)[1:-1])


def _without_slash(argument: Any) -> Any:
    return argument.rstrip("/") if isinstance(argument, str) else argument


def _argument(value: Any) -> str:
    return f"'{value}'" if isinstance(value, str) and not is_unknown_whole(value) else str(value)
