"""A template as the rules see it: declarations, and resources with their values settled.

Loops are unrolled, resources inside resources are laid flat, and a nested deployment is a template of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from hdictl.arm.evaluate import Place
from hdictl.arm.lint.fields import at, mapping
from hdictl.arm.lint.graph import Graph
from hdictl.arm.lint.marks import unknown
from hdictl.arm.lint.resource import Resource, read_resources
from hdictl.arm.lint.settle import Scope, settle
from hdictl.stack.source import Path

NESTED = "microsoft.resources/deployments"
# Where nothing says so, the place is not known, but it is one and the same for the whole template.
SOMEWHERE = Place(
    subscription=unknown("subscription().subscriptionId"),
    resource_group=unknown("resourceGroup().name"),
    location=unknown("resourceGroup().location"),
    tenant=unknown("subscription().tenantId"),
)


@dataclass(frozen=True)
class Parameter:
    name: str
    type: str
    body: Mapping[str, Any]
    path: Path

    @property
    def is_secure(self) -> bool:
        return self.type.lower() in ("securestring", "secureobject")


@dataclass(frozen=True)
class Template:
    data: Mapping[str, Any]
    path: Path
    scope: Scope
    parameters: Mapping[str, Parameter]  # by name in lower case
    declared: tuple[Resource, ...]  # also those that are not deployed: their condition says so, or they exist
    world: list[Resource] = field(default_factory=list)  # resources of all templates of the file
    given: Mapping[str, Any] | None = None  # what a parameter file says; None without one
    has_own_scope: bool = True  # False: expressions speak of the parameters of the template around it

    @cached_property
    def graph(self) -> Graph:
        return Graph(self.declared, self.scope.place)

    @cached_property
    def resources(self) -> tuple[Resource, ...]:
        return tuple(one for one in self.declared if one.is_deployed)

    def of_type(self, kind: str) -> Iterator[Resource]:
        return (resource for resource in self.resources if resource.type.lower() == kind.lower())

    @property
    def clusters(self) -> Iterator[Resource]:
        return self.of_type("Microsoft.HDInsight/clusters")


def read_template(data: Mapping[str, Any], given: Mapping[str, Any] | None, place: Place | None) -> Iterator[Template]:
    """The template, and every one that is nested in it."""
    parameters = _parameters(data, ())
    world: list[Resource] = []
    scope = _scope(data, parameters, _values(given), place or SOMEWHERE)
    yield from list(_with_nested(data, (), scope, parameters, world, given))


def _with_nested(  # noqa: PLR0913, PLR0917 - one call, below
    data: Mapping[str, Any],
    path: Path,
    scope: Scope,
    parameters: Mapping[str, Parameter],
    world: list[Resource],
    given: Mapping[str, Any] | None = None,
    has_own_scope: bool = True,
) -> Iterator[Template]:
    resources = tuple(read_resources(data.get("resources"), (*path, "resources"), scope))
    world.extend(one for one in resources if one.condition is not False)
    yield Template(data, path, scope, parameters, resources, world, given, has_own_scope)
    for resource in resources:
        inner = at(resource.written, "properties", "template")
        if resource.type.lower() != NESTED or not isinstance(inner, Mapping):
            continue
        inner_path = (*resource.path, "properties", "template")
        place = _place(resource, scope.place)
        if has_inner_scope(data, mapping(resource.written.get("properties"))):
            declared = _parameters(inner, inner_path)
            values = _values(mapping(at(resource.body, "properties", "parameters")))
            yield from _with_nested(inner, inner_path, _scope(inner, declared, values, place), declared, world)
        else:
            outer = Scope(place, scope.parameters, scope.variables, resource.loops)
            yield from _with_nested(inner, inner_path, outer, parameters, world, has_own_scope=False)


def has_inner_scope(template: Mapping[str, Any], properties: Mapping[str, Any]) -> bool:
    """Do expressions of a template that is nested in this one speak of its own parameters?"""
    usual = "inner" if template.get("languageVersion") == "2.0" else "outer"
    return str(at(properties, "expressionEvaluationOptions", "scope") or usual).lower() == "inner"


def _place(resource: Resource, place: Place) -> Place:
    """A nested deployment may go to another group."""
    group = at(resource.body, "resourceGroup")
    return Place(place.subscription, group, place.location, place.tenant) if isinstance(group, str) else place


def _parameters(data: Mapping[str, Any], path: Path) -> dict[str, Parameter]:
    return {
        name.lower(): Parameter(name, str(at(body, "type") or ""), mapping(body), (*path, "parameters", name))
        for name, body in mapping(data.get("parameters")).items()
    }


def _values(given: Mapping[str, Any] | None) -> dict[str, Any]:
    return {
        name.lower(): entry["value"]
        for name, entry in (given or {}).items()
        if isinstance(entry, Mapping) and "value" in entry
    }


def _scope(
    data: Mapping[str, Any], parameters: Mapping[str, Parameter], given: Mapping[str, Any], place: Place
) -> Scope:
    values: dict[str, Any] = {}
    for key, parameter in parameters.items():
        mark = unknown(f"parameters('{parameter.name}')", is_secret=parameter.is_secure)
        if parameter.is_secure:  # even when a value is given: where it goes is what matters
            values[key] = mark
        elif key in given:
            values[key] = given[key]
        elif "defaultValue" in parameter.body:
            values[key] = settle(parameter.body["defaultValue"], Scope(place, dict(values)))
        else:
            values[key] = mark
    return Scope(place, values, _variables(data))


def _variables(data: Mapping[str, Any]) -> dict[str, Any]:
    written = mapping(data.get("variables"))
    found = {name.lower(): value for name, value in written.items() if name != "copy"}
    loops = written.get("copy")
    for loop in loops if isinstance(loops, list) else ():
        if isinstance(loop, Mapping) and "name" in loop:
            found[str(loop["name"]).lower()] = {"copy": [loop]}
    return found
