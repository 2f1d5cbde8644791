"""The modules in `templates/arm/`: each is an ARM template of its own, and is called here like a function."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from hdictl import assets
from hdictl.arm.addresses import address
from hdictl.arm.evaluate import Deferred, Scope, evaluate, resolve, work_out

_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "securestring": str,
    "int": int,
    "bool": bool,
    "array": (list, tuple),
    "object": Mapping,
}


class BadCall(TypeError):
    """A module was called with values that it does not take: a bug of the caller."""


@dataclass(frozen=True)
class Call:
    """A module with values. `after` has addresses of what must be there first and is nowhere named in the values."""

    module: str
    values: Mapping[str, Any]
    after: tuple[str, ...] = ()


@dataclass(frozen=True)
class Module:
    name: str
    document: Mapping[str, Any]

    def resources(self, values: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
        """What it makes: loops expanded, conditions decided, everything put in that is known now."""
        scope = self._scope(values)
        made = _Made()
        for written in self.document["resources"]:
            for body, inside in _repeated(written, scope):
                made.take(body, inside)
        return tuple(made.with_dependencies())

    def outputs(self, values: Mapping[str, Any]) -> dict[str, Any]:
        scope = self._scope(values)
        return {name: resolve(output["value"], scope) for name, output in self.document.get("outputs", {}).items()}

    def _scope(self, values: Mapping[str, Any]) -> Scope:
        declared: Mapping[str, Any] = self.document["parameters"]
        if strange := sorted(set(values) - set(declared)):
            raise BadCall(f"module `{self.name}` has no parameter `{strange[0]}`")
        bound = {name: self._bound(name, said, values) for name, said in declared.items()}
        return Scope(bound, self.document.get("variables", {}))

    def _bound(self, name: str, said: Mapping[str, Any], values: Mapping[str, Any]) -> Any:
        if name not in values:
            if "defaultValue" not in said:
                raise BadCall(f"module `{self.name}` needs a value for `{name}`")
            return work_out(said["defaultValue"], Scope())
        value = values[name]
        is_number_for_bool = said["type"] == "int" and isinstance(value, bool)
        if not isinstance(value, Deferred) and (
            is_number_for_bool or not isinstance(value, _TYPES[said["type"].lower()])
        ):
            raise BadCall(f"module `{self.name}`: `{name}` takes {said['type']}, not {value!r}")
        if "allowedValues" in said and value not in said["allowedValues"]:
            raise BadCall(f"module `{self.name}`: `{name}` cannot be {value!r}")
        return value


@cache
def module(name: str) -> Module:
    return Module(name, json.loads(assets.template("arm", f"{name}.json").read_text(encoding="utf-8")))


@dataclass
class _Made:
    """Resources of one module; `dependsOn` may name a loop, or something whose condition was not met."""

    resources: list[dict[str, Any]] = field(default_factory=list)
    loops: dict[str, list[str]] = field(default_factory=dict)
    absent: set[str] = field(default_factory=set)

    def take(self, body: Mapping[str, Any], scope: Scope) -> None:
        plain = {key: item for key, item in body.items() if key not in ("copy", "condition")}
        resource: dict[str, Any] = resolve(plain, scope)
        if "condition" in body and not evaluate(body["condition"], scope):
            self.absent.add(address(resource))
            return
        self.resources.append(resource)
        if "copy" in body:
            self.loops.setdefault(body["copy"]["name"], []).append(address(resource))

    def with_dependencies(self) -> Iterator[dict[str, Any]]:
        for resource in self.resources:
            written = resource.pop("dependsOn", [])
            named = [one for each in written for one in self.loops.get(each, [each])]
            yield {**resource, "dependsOn": [each for each in named if each not in self.absent]}


def _repeated(written: Mapping[str, Any], scope: Scope) -> Iterator[tuple[Mapping[str, Any], Scope]]:
    if "copy" not in written:
        yield written, scope
        return
    loop = written["copy"]
    for index in range(evaluate(loop["count"], scope)):
        yield written, scope.inside(loop["name"], index)
