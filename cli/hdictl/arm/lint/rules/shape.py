"""X12: properties that there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hdictl.arm.lint.cluster_shape import READ_ONLY, SHAPE, Shape
from hdictl.arm.lint.marks import is_known
from hdictl.arm.lint.registry import ERROR, Problem, rule
from hdictl.arm.lint.template import Template
from hdictl.stack.shown import shown
from hdictl.stack.source import Path
from hdictl.stack.suggest import did_you_mean


def _strangers(value: Any, shape: Shape, path: Path) -> Iterator[tuple[Path, Shape]]:
    """Keys that the shape does not have, with what it has there."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _strangers(item, shape, (*path, index))
    elif isinstance(value, Mapping) and shape:
        inner = {name.lower(): (name, part) for name, part in shape.items()}
        for key, item in value.items():
            if key.lower() in inner:
                yield from _strangers(item, inner[key.lower()][1], (*path, key))
            elif is_known(key):
                yield (*path, key), shape


@rule(
    "X120",
    ERROR,
    "Every property of a cluster is one that there is",
    why="The service ignores what it does not know, and the schemas let it pass: a misspelt property is a setting that "
    "never takes effect.",
    fix="Take the suggested spelling.",
    source="Microsoft.HDInsight REST specification, 2021-06-01 to 2025-01-15-preview",
)
def known(template: Template) -> Iterator[Problem]:
    for cluster in template.clusters:
        for path, shape in _strangers(cluster.body.get("properties"), SHAPE, (*cluster.path, "properties")):
            if path[-1] not in READ_ONLY:
                near = did_you_mean(str(path[-1]), shape)
                yield Problem(path, f"{cluster}: there is no property `{shown(path[-1])}` here{near}", "mend the name")


@rule(
    "X121",
    ERROR,
    "No property that is read-only is set",
    why="Disk size and disk type follow the VM size, states are the service's own; a request that sets them is "
    "refused, or promises what does not come.",
    fix="Remove it.",
    source="Microsoft.HDInsight REST specification: readOnly",
)
def writable(template: Template) -> Iterator[Problem]:
    for cluster in template.clusters:
        for path, _ in _strangers(cluster.body.get("properties"), SHAPE, (*cluster.path, "properties")):
            if path[-1] in READ_ONLY:
                yield Problem(path, f"{cluster}: `{path[-1]}` is read-only", "remove it")
