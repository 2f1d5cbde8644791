"""What a template says, worked out as far as it can be known.

`resolve` walks a JSON value. A call whose arguments are known becomes its value; one that needs the deployment
(`reference`, a secure parameter, and, without a `Place`, `resourceId` and `subscription`) stays an expression, with
everything inside it that is known put in. A property that comes out as null is left out, as ARM takes it for absent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from hdictl.arm import functions
from hdictl.arm.expression import (
    Access,
    BadExpression,
    Call,
    Expression,
    Literal,
    escaped,
    is_expression,
    parse,
    to_text,
    unescaped,
)


@dataclass(frozen=True)
class Deferred:
    """Known at deployment alone."""

    expression: Expression


@dataclass(frozen=True)
class Place:
    """Where a template is deployed; with it, ids are known."""

    subscription: str
    resource_group: str
    location: str = ""
    tenant: str = ""  # empty: not known here

    @property
    def group_id(self) -> str:
        return f"/subscriptions/{self.subscription}/resourceGroups/{self.resource_group}"


@dataclass(frozen=True)
class Scope:
    parameters: Mapping[str, Any] = field(default_factory=dict)  # values, or Deferred
    variables: Mapping[str, Any] = field(default_factory=dict)  # as written
    loops: Mapping[str, int] = field(default_factory=dict)  # copy loop → index; "" is the innermost
    place: Place | None = None

    def inside(self, loop: str, index: int) -> Scope:
        return replace(self, loops={**self.loops, loop: index, "": index})


def resolve(value: Any, scope: Scope) -> Any:
    """JSON in, JSON out."""
    return to_json(work_out(value, scope))


def evaluate(text: str, scope: Scope) -> Any:
    """The value of one expression, or `Deferred`."""
    return _evaluate(parse(text), scope) if is_expression(text) else text


def work_out(value: Any, scope: Scope) -> Any:
    """JSON in; out come values, which may hold `Deferred` parts at any depth."""
    if isinstance(value, str):
        return _evaluate(parse(value), scope) if is_expression(value) else unescaped(value)
    if isinstance(value, list):
        return [work_out(item, scope) for item in value]
    if isinstance(value, Mapping):
        return _object(value, scope)
    return value


def _object(value: Mapping[str, Any], scope: Scope) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, item in value.items():
        if key == "copy" and isinstance(item, list):
            for loop in item:
                found[loop["name"]] = expand(loop, loop["input"], scope)
        else:
            worked_out = work_out(item, scope)
            if worked_out is not None:
                found[resolve(key, scope)] = worked_out
    return found


def expand(loop: Mapping[str, Any], body: Any, scope: Scope) -> list[Any]:
    """A `copy` loop: its body once for each index."""
    count = evaluate(loop["count"], scope) if isinstance(loop["count"], str) else loop["count"]
    if not isinstance(count, int):
        raise BadExpression(f"copy loop `{loop['name']}`: its count is not known before the deployment")
    return [work_out(body, scope.inside(loop["name"], index)) for index in range(count)]


def to_json(value: Any) -> Any:
    """Values that may hold deferred parts, as JSON; text that looks like an expression is escaped."""
    if isinstance(value, Deferred):
        return to_text(value.expression)
    if isinstance(value, str):
        return escaped(value)
    if isinstance(value, (list, tuple)):
        return [to_json(item) for item in value]
    if isinstance(value, Mapping):
        return {key: to_json(item) for key, item in value.items() if item is not None}
    return value


def _evaluate(expression: Expression, scope: Scope) -> Any:
    if isinstance(expression, Literal):
        return expression.value
    if isinstance(expression, Access):
        return _member(_evaluate(expression.of, scope), _evaluate(expression.member, scope), expression)
    return _call(expression, scope)


def _member(of: Any, member: Any, expression: Access) -> Any:
    if isinstance(of, Deferred) or isinstance(member, Deferred):
        return Deferred(Access(_as_expression(of), _as_expression(member)))
    try:
        return of[member]
    except (KeyError, IndexError, TypeError):
        raise BadExpression(f"`{to_text(expression)}`: there is no `{member}`") from None


def _call(call: Call, scope: Scope) -> Any:
    name = call.name.lower()
    if name == "if":
        condition = _evaluate(call.arguments[0], scope)
        if not isinstance(condition, Deferred):
            return _evaluate(call.arguments[1 if condition else 2], scope)
    arguments = [_evaluate(argument, scope) for argument in call.arguments]
    if name in ("parameters", "variables", "copyindex"):
        return _scoped(name, arguments, scope, call)
    if name in functions.OF_THE_PLACE and scope.place is not None and not any(map(_is_deferred, arguments)):
        found = functions.OF_THE_PLACE[name](scope.place, *arguments)
        if name == "subscription" and not scope.place.tenant:
            found["tenantId"] = Deferred(Access(call, Literal("tenantId")))
        return found
    if name in functions.KNOWN and not _must_wait(name, arguments):
        if name == "createobject":  # a key that is not known yet stands in the object as its expression
            arguments[::2] = [to_json(key) if isinstance(key, Deferred) else key for key in arguments[::2]]
        try:
            return functions.KNOWN[name](*arguments)
        except (TypeError, ValueError, IndexError, KeyError) as error:
            raise BadExpression(f"`{to_text(call)}`: {error}") from None
    if name in functions.KNOWN or name in functions.OF_THE_PLACE or name in functions.OF_THE_DEPLOYMENT:
        return Deferred(Call(call.name, tuple(_as_expression(argument) for argument in arguments)))
    raise BadExpression(f"`{to_text(call)}`: the function `{call.name}` is not known")


def _scoped(name: str, arguments: list[Any], scope: Scope, call: Call) -> Any:
    if name == "copyindex":
        loop = arguments[0] if arguments and isinstance(arguments[0], str) else ""
        offset = next((argument for argument in arguments if isinstance(argument, int)), 0)
        if loop not in scope.loops:
            raise BadExpression(f"`{to_text(call)}` stands outside its loop")
        return scope.loops[loop] + offset
    wanted = arguments[0] if arguments else None
    known = scope.parameters if name == "parameters" else scope.variables
    folded = {key.lower(): key for key in known}  # ARM does not mind the case of names
    if not isinstance(wanted, str) or wanted.lower() not in folded:
        raise BadExpression(f"`{to_text(call)}`: `{wanted}` is not declared")
    value = known[folded[wanted.lower()]]
    return value if name == "parameters" else work_out(value, scope)


def _must_wait(name: str, arguments: list[Any]) -> bool:
    """Is one of the arguments known at deployment alone, so that the call must be left to it?

    Calls that build arrays and objects take what is not known yet as a member; those that only move values about do
    not mind what is inside them.
    """
    if name in functions.BUILDS:
        return False
    if name in functions.MOVES_ONLY:
        return any(isinstance(argument, Deferred) for argument in arguments)
    return any(map(_is_deferred, arguments))


def _is_deferred(value: Any) -> bool:
    if isinstance(value, Deferred):
        return True
    if isinstance(value, (list, tuple)):
        return any(map(_is_deferred, value))
    return isinstance(value, Mapping) and any(map(_is_deferred, value.values()))


def _as_expression(value: Any) -> Expression:
    """A value as it would be written inside an expression."""
    if isinstance(value, Deferred):
        return value.expression
    if isinstance(value, bool):
        return Call("true" if value else "false")
    if value is None:
        return Call("null")
    if isinstance(value, (str, int)):
        return Literal(value)
    if isinstance(value, (list, tuple)):
        return Call("createArray", tuple(map(_as_expression, value)))
    pairs = [part for key, item in value.items() for part in (_key(key), _as_expression(item))]
    return Call("createObject", tuple(pairs))


def _key(key: str) -> Expression:
    return parse(key) if is_expression(key) else Literal(key)
