"""N: names on Azure that derive from those in the stack."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hdictl.stack.check.context import Context, is_known
from hdictl.stack.check.names import azure_names, name_path
from hdictl.stack.check.registry import ERROR, Problem, rule
from hdictl.stack.resource_names import Names
from hdictl.stack.shown import shown
from hdictl.stack.source import Path

_SUBNET = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,78}[A-Za-z0-9_])?\Z")
_NAME_RULES = "Microsoft Learn: resource-name-rules"


@rule(
    "N007",
    ERROR,
    "A cluster's name on Azure has no two hyphens in a row",
    why="Its file system in the storage account bears the same name, and Azure refuses that there.",
    fix="Take one of the hyphens away, or set `name:` on the cluster.",
    source="Microsoft Learn: naming-and-referencing-containers--blobs--and-metadata",
)
def file_system(context: Context) -> Iterator[Problem]:
    for key, name in azure_names(context):
        if "--" in name:
            yield Problem(
                f"cluster:{key}",
                name_path(context, key),
                f"cluster `{shown(key)}` would be called `{shown(name)}`, and no file system can be called so",
                "set `name:` to letters, digits and single hyphens",
            )


@rule(
    "N008",
    ERROR,
    "A subnet's name is 1–80 letters, digits, `_`, `.` and `-`",
    why="It begins with a letter or digit and ends with one or with `_`; Azure refuses anything else, and keeps some "
    "names for its own services.",
    fix="Rename it.",
    source=_NAME_RULES,
)
def subnet_name(context: Context) -> Iterator[Problem]:
    kept = {"gatewaysubnet", "azurefirewallsubnet", "azurebastionsubnet", "routeserversubnet"}
    for region, network in context.stack.network.items():
        for name in network.subnets:
            if not _SUBNET.match(name) or name.lower() in kept:
                yield Problem(
                    f"network:{region}",
                    ("network", region, "subnets", name),
                    f"`{shown(name)}` cannot be the name of a cluster's subnet",
                    "use letters, digits, _ . and -, at most 80, a letter or digit first",
                )


@dataclass(frozen=True)
class DerivedName:
    kind: str
    name: str
    longest: int  # what Azure takes
    path: Path  # where the part is written that can be shortened

    @property
    def address(self) -> str:
        return "stack" if self.path == ("stack",) else f"network:{self.path[1]}"

    @property
    def part(self) -> str:
        return "stack" if self.path == ("stack",) else "subnet"


def derived_names(context: Context) -> Iterator[DerivedName]:
    """Those that can be too long: a stack's name has at most 40 characters, a region's at most 18."""
    stack, names = context.stack, Names(context.stack)
    for region, network in stack.network.items():
        for subnet in network.subnets:
            path = ("network", region, "subnets", subnet)
            yield DerivedName("network security group", names.nsg(region, subnet), 80, path)
    if stack.monitor and stack.monitor.workspace == "new":
        used = {context.location(cluster) for cluster in stack.clusters.values()}
        for region in sorted(region for region in used if region):
            yield DerivedName("Log Analytics workspace", names.workspace(region), 63, ("stack",))


@rule(
    "N009",
    ERROR,
    "Names that derive from the stack are not too long for Azure",
    why="Security groups (80) and Log Analytics workspaces (63) are called by stack, region and subnet.",
    fix="Shorten the subnet's name, or the stack's.",
    source=_NAME_RULES,
)
def derived_length(context: Context) -> Iterator[Problem]:
    if context.azure is None or context.is_cut("stack") or not is_known(context.stack.stack):
        return
    for derived in derived_names(context):
        excess = len(derived.name) - derived.longest
        if excess > 0:
            yield Problem(
                derived.address,
                derived.path,
                f"the {derived.kind} would be called `{shown(derived.name)}`: {len(derived.name)} characters, and "
                f"Azure takes {derived.longest}",
                f"shorten the {derived.part}'s name by {excess}",
            )
