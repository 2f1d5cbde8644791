"""One resource of a template, its values settled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from hdictl.arm.expression import BadExpression, Call, Expression, is_expression
from hdictl.arm.lint.fields import at, mapping, sequence
from hdictl.arm.lint.language import calls, tree
from hdictl.arm.lint.marks import readable
from hdictl.arm.lint.settle import Scope, rounds, settle, value_of
from hdictl.stack.shown import shown
from hdictl.stack.source import Path

_BESIDE = ("dependsOn", "resources", "condition", "copy")  # not what is sent to the resource provider


@dataclass(frozen=True)
class Resource:
    path: Path
    written: Mapping[str, Any]
    body: Mapping[str, Any]
    type: str
    name: str
    depends_on: tuple[tuple[Path, Any], ...] = ()
    mentions: frozenset[str] = frozenset()  # what resourceId, reference and list… in it are about
    condition: Any = True
    symbol: str = ""  # its key, when resources are an object
    loops: Mapping[str, int | str] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str]:
        return self.type.lower(), self.name.lower()

    @property
    def is_existing(self) -> bool:
        """Only spoken of, not deployed."""
        return bool(self.written.get("existing"))

    @property
    def is_deployed(self) -> bool:
        return self.condition is not False and not self.is_existing

    @property
    def loop(self) -> str:
        return str(at(self.written, "copy", "name") or "")

    def __str__(self) -> str:
        return f"{self.type.rpartition('/')[2]} `{shown(readable(self.name))}`"


def read_resources(written: Any, path: Path, scope: Scope, parent: Resource | None = None) -> Iterator[Resource]:
    """Resources of a list, or, as newer templates have it, of an object; those inside others too."""
    entries: list[tuple[int | str, Any]] = list(enumerate(sequence(written)))
    if isinstance(written, Mapping):
        entries = list(written.items())
    for key, one in entries:
        if not isinstance(one, Mapping):
            continue
        turns = rounds(one["copy"], scope) if "copy" in one else [scope]
        if not turns:  # nothing is deployed, but others may depend on the loop
            yield replace(_resource(one, (*path, key), scope, parent), condition=False)
        for turn in turns:
            resource = _resource(one, (*path, key), turn, parent)
            yield resource
            yield from read_resources(one.get("resources"), (*path, key, "resources"), turn, resource)


def _resource(written: Mapping[str, Any], path: Path, scope: Scope, parent: Resource | None) -> Resource:
    sent = {key: value for key, value in written.items() if key not in _BESIDE}
    if at(sent, "properties", "template"):  # a nested template is looked at by itself
        sent["properties"] = {key: value for key, value in mapping(sent["properties"]).items() if key != "template"}
    body = settle(sent, scope)
    kind, name = str(body.get("type", "")), str(body.get("name", ""))
    if parent is not None and not kind.lower().startswith(f"{parent.type.lower()}/"):
        kind = f"{parent.type}/{kind}"
        name = f"{parent.name}/{name}"
    depends_on = sequence(written.get("dependsOn"))
    return Resource(
        path=path,
        written=written,
        body=body,
        type=kind,
        name=name,
        depends_on=tuple(((*path, "dependsOn", index), settle(one, scope)) for index, one in enumerate(depends_on)),
        mentions=frozenset(_mentions({**sent, "name": ""}, scope)),  # `guid(resourceId(…))` in a name needs no order
        condition=settle(written.get("condition", True), scope),
        symbol=str(path[-1]) if isinstance(path[-1], str) else "",
        loops=scope.loops,
    )


def _mentions(value: Any, scope: Scope) -> Iterator[str]:
    if isinstance(value, str) and is_expression(value):
        try:
            yield from _of_expression(tree(value), scope)
        except BadExpression:
            return
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _mentions(key, scope)
            yield from _mentions(item, scope)
    elif isinstance(value, list):
        for item in value:
            yield from _mentions(item, scope)


def _of_expression(expression: Expression, scope: Scope) -> Iterator[str]:
    for call in calls(expression):
        about: Any = None
        if call.name.lower().endswith("resourceid"):
            about = value_of(call, scope)
        elif _asks_a_resource(call):
            about = value_of(call.arguments[0], scope)
        if isinstance(about, str):
            yield about


def _asks_a_resource(call: Call) -> bool:
    return bool(call.arguments) and (call.name.lower() == "reference" or call.name.lower().startswith("list"))
