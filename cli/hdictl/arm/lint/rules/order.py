"""X04: dependsOn."""

from __future__ import annotations

from collections.abc import Iterator

from hdictl.arm.lint.graph import ids_in
from hdictl.arm.lint.ids import parse_id
from hdictl.arm.lint.marks import is_known
from hdictl.arm.lint.registry import ERROR, Problem, rule
from hdictl.arm.lint.resource import Resource
from hdictl.arm.lint.template import Template
from hdictl.stack.shown import shown
from hdictl.stack.suggest import did_you_mean

_SOURCE = "Microsoft Learn: resource-dependency"


@rule(
    "X040",
    ERROR,
    "`dependsOn` names resources of the template",
    why="Azure refuses the whole template (InvalidTemplate) when it names one that the template does not have.",
    fix="Mend the name, or remove the entry: what exists already needs no order.",
    source=_SOURCE,
)
def present(template: Template) -> Iterator[Problem]:
    types = {resource.type.lower() for resource in template.declared}
    for resource in template.resources:
        for path, text in resource.depends_on:
            if template.graph.named(str(text)):
                continue
            id = parse_id(text)
            is_certain = id.type.lower() not in types or is_known(id.name) if id else is_known(text)
            if is_certain:
                wanted = f"{id.type} `{id.name}`" if id else f"`{shown(text)}`"
                near = did_you_mean(id.name if id else str(text), [one.name for one in template.resources])
                yield Problem(
                    path, f"{resource} depends on {wanted}, which the template does not have{near}", "mend the name"
                )


@rule(
    "X041",
    ERROR,
    "A resource depends on every resource that it names",
    why="`resourceId` makes no order. Azure deploys in parallel, so one that names another may come first and fail "
    "(ResourceNotFound, ParentResourceNotFound), now and then only.",
    fix="Add the resource to `dependsOn`.",
    source=_SOURCE,
)
def complete(template: Template) -> Iterator[Problem]:
    for index, resource in enumerate(template.declared):
        if not resource.is_deployed:
            continue
        before = template.graph.before(index) | {index}
        for owner in sorted(_named(template, resource) - before):
            other = template.declared[owner]
            # A parent that names its child is not after it: the child is after the parent.
            if other.is_deployed and other.key != resource.key and index not in template.graph.before(owner):
                yield Problem(
                    resource.path, f"{resource} names {other} and does not depend on it", f"add {other} to `dependsOn`"
                )


def _named(template: Template, resource: Resource) -> set[int]:
    """What a resource names: ids in its properties, what it extends, and what it lies inside of."""
    texts = {*ids_in(resource.body), *resource.mentions, str(resource.body.get("scope", ""))}
    found = [template.graph.holders(resource), *map(template.graph.owners, texts)]
    return {owners[0] for owners in found if owners}


@rule(
    "X042",
    ERROR,
    "`dependsOn` goes in no circle",
    why="Each would wait for the other; Azure refuses the template (Circular dependency detected).",
    fix="Remove one of the entries; use a child resource for what needs both.",
    source=_SOURCE,
)
def no_circle(template: Template) -> Iterator[Problem]:
    for circle in template.graph.circles():
        members = [template.declared[index] for index in circle]
        yield Problem(
            (*members[0].path, "dependsOn"),
            f"a circle: {' → '.join(map(str, [*members, members[0]]))}",
            "remove one of these entries",
        )
