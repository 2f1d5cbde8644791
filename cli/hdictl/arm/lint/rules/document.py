"""X00: the text is JSON, and a template."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hdictl.arm.lint.registry import ERROR, Problem, declare, rule
from hdictl.arm.lint.template import Template

_STRUCTURE = "Microsoft Learn: template syntax"

UNREADABLE = declare(
    "X001",
    ERROR,
    "The file is a JSON object",
    why="Nothing can be said of a file that cannot be read. Comments are allowed, as Azure's tools allow them.",
    fix="Mend the line that is named; a comma or a bracket is the usual cause.",
    source=_STRUCTURE,
)
REPEATED = declare(
    "X002",
    ERROR,
    "No name is given twice in one object",
    why="Azure takes the last one without a word, so the first is a setting that never takes effect.",
    fix="Remove one of them.",
    source="RFC 8259, 4",
)


@rule(
    "X003",
    ERROR,
    "A template has its schema, its version and its resources, and each resource its type, name and API version",
    why="Azure refuses the whole template (InvalidTemplate) when one of them is missing.",
    fix="Add what is missing.",
    source=_STRUCTURE,
)
def complete(template: Template) -> Iterator[Problem]:
    missing = [name for name in ("$schema", "contentVersion", "resources") if name not in template.data]
    if missing:
        yield Problem(template.path, f"`{'`, `'.join(missing)}` missing: this is no template", "add what is missing")
    if not isinstance(template.data.get("resources", []), (list, Mapping)):
        yield Problem((*template.path, "resources"), "`resources` is no list", "write a list of resources")
    for resource in template.resources:
        lacking = [name for name in ("type", "name", "apiVersion") if not resource.written.get(name)]
        if lacking:
            yield Problem(
                resource.path,
                f"a resource has no `{'`, `'.join(lacking)}`",
                "every resource has `type`, `name` and `apiVersion`",
            )
