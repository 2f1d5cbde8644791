"""A: where on Azure the stack lives, and what it leans on there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from hdictl.stack.check.context import Context, is_known
from hdictl.stack.check.identifiers import is_guid, is_resource_group
from hdictl.stack.check.registry import ERROR, WARNING, Problem, rule
from hdictl.stack.check.vaults import vault_uses
from hdictl.stack.locations import LOCATIONS, canonical
from hdictl.stack.shown import shown
from hdictl.stack.source import Path
from hdictl.stack.suggest import did_you_mean

_WORKSPACE = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{2,61}[A-Za-z0-9]\Z")
_MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+\Z")
_TAG_CHARACTERS = re.compile(r"[<>%&\\?/]")
_TAG_PREFIXES = ("microsoft", "azure", "windows")
_STACK_TAG = "hdictl-stack"  # by which hdictl knows its own
_MAX_TAGS = 50  # the stack's own among them
_NAME_RULES = "Microsoft Learn: resource-name-rules"


@rule(
    "A001",
    ERROR,
    "A stack for the target azure says where on Azure",
    why="Without subscription, resource group and region nothing can be made there. "
    "Clusters that are only reached, by `bootstrap`, need no such place.",
    fix="Add `azure: {subscription: …, resource_group: …, location: …}`.",
    source="hdictl",
    varies=True,
)
def azure_section(context: Context) -> Iterator[Problem]:
    is_needed = context.target == "azure" and context.makes_clusters
    if is_needed and context.azure is None and not context.is_cut("azure"):
        yield Problem(
            "azure",
            (),
            "`azure` is missing, and the target is azure",
            "add `azure:` with subscription, resource_group and location",
        )


@rule(
    "A002",
    ERROR,
    "The subscription is a GUID",
    why="Azure's API takes the id, not the display name.",
    fix="Take the id that `az account show` prints.",
    source="Azure Resource Manager",
)
def subscription(context: Context) -> Iterator[Problem]:
    azure = context.azure
    if azure and is_known(azure.subscription) and not is_guid(azure.subscription):
        yield Problem(
            "azure",
            ("azure", "subscription"),
            f"`{shown(azure.subscription)}` is not a subscription id",
            "write the GUID (`az account show --query id`), or ${AZURE_SUBSCRIPTION_ID}",
        )


def _resource_groups(context: Context) -> Iterator[tuple[str, Path, str]]:
    if context.azure:
        yield "azure", ("azure", "resource_group"), context.azure.resource_group
    for address, path, used in vault_uses(context):
        if used.resource_group is not None:
            yield address, (*path, "resource_group"), used.resource_group


@rule(
    "A003",
    ERROR,
    "Names of resource groups are valid",
    why="1–90 letters, digits, `_ ( ) . -`, not ending in a dot; Azure refuses anything else.",
    fix="Mend the name.",
    source=_NAME_RULES,
)
def resource_group(context: Context) -> Iterator[Problem]:
    for address, path, name in _resource_groups(context):
        if is_known(name) and not is_resource_group(name):
            yield Problem(
                address,
                path,
                f"`{shown(name)}` cannot be a resource group's name",
                "use 1–90 letters, digits and _ ( ) . -, not ending in a dot",
            )


def _locations(context: Context) -> Iterator[tuple[str, Path, str]]:
    if context.azure:
        yield "azure", ("azure", "location"), context.azure.location
    for key, cluster in context.stack.clusters.items():
        if cluster.location is not None:
            yield f"cluster:{key}", ("clusters", key, "location"), cluster.location
    for section, regions in (("network", context.stack.network), ("storage", context.stack.storage)):
        for region in regions:
            yield f"{section}:{region}", (section, region), region


@rule(
    "A004",
    ERROR,
    "Every region is one of Azure's, by its short name",
    why="Clusters find their VNet by the region's name, so there is one spelling: westeurope, not West Europe.",
    fix="Take the suggested name; a region that is newer than this list can be waived.",
    source="az account list-locations",
)
def location(context: Context) -> Iterator[Problem]:
    for address, path, name in _locations(context):
        if name in LOCATIONS or not is_known(name):
            continue
        short = canonical(name)
        if short in LOCATIONS:
            yield Problem(address, path, f"the region `{name}` is written `{short}`", f"write {short}")
        else:
            yield Problem(
                address,
                path,
                f"`{shown(name)}` is not a region of Azure{did_you_mean(short, LOCATIONS)}",
                "take a name from `az account list-locations --query '[].name'`",
            )


def _tag_sets(context: Context) -> Iterator[tuple[str, Path, Mapping[str, str]]]:
    if context.azure:
        yield "azure", ("azure", "tags"), context.azure.tags
    for key, cluster in context.stack.clusters.items():
        yield f"cluster:{key}", ("clusters", key, "tags"), cluster.tags


def _tag_fault(name: str, value: str, others: Iterable[str]) -> str | None:
    if not 1 <= len(name) <= 512 or _TAG_CHARACTERS.search(name):
        return "a tag's name is 1–512 characters without < > % & \\ ? /"
    if name.lower() == _STACK_TAG:
        return f"`{_STACK_TAG}` is how hdictl knows what is its own"
    if any(other != name and other.lower() == name.lower() for other in others):
        return "another tag differs from it only in case, which Azure does not tell apart"
    if name.lower().startswith(_TAG_PREFIXES):
        return "tags that begin with microsoft, azure or windows are reserved"
    return "a tag's value is at most 256 characters" if len(value) > 256 else None


@rule(
    "A005",
    ERROR,
    "Tags are ones that Azure accepts",
    why=f"Names of 1–512 characters without < > % & \\ ? /, values up to 256, at most {_MAX_TAGS} a resource, and no "
    "reserved prefix; one bad tag fails the whole deployment.",
    fix="Rename or shorten the tag.",
    source="Microsoft Learn: tag-resources",
)
def tags(context: Context) -> Iterator[Problem]:
    general = context.azure.tags if context.azure else {}
    for address, path, found in _tag_sets(context):
        for name, value in found.items():
            if fault := _tag_fault(name, value, (*general, *found)):
                yield Problem(address, (*path, name), f"tag `{shown(name)}`: {fault}", "rename or shorten it")
        count = len({name.lower() for name in (*general, *found, _STACK_TAG)})
        if count > _MAX_TAGS:
            yield Problem(
                address,
                path,
                f"{count} tags, `{_STACK_TAG}` among them, are too many for one resource",
                f"take {count - _MAX_TAGS} away: Azure allows {_MAX_TAGS}",
            )


@rule(
    "A006",
    ERROR,
    "The workspace is `new` or the name of a Log Analytics workspace",
    why="4–63 letters, digits and hyphens; Azure refuses anything else.",
    fix="Write `new` to have one made, or the name of one that exists.",
    source=_NAME_RULES,
)
def workspace(context: Context) -> Iterator[Problem]:
    monitor = context.stack.monitor
    name = monitor.workspace if monitor else "new"
    if name != "new" and is_known(name) and not _WORKSPACE.match(name):
        yield Problem(
            "monitor",
            ("monitor", "workspace"),
            f"`{shown(name)}` cannot be a Log Analytics workspace",
            "use 4–63 letters, digits and hyphens, or `new`",
        )


@rule(
    "A008",
    ERROR,
    "Alerts go to mail addresses",
    why="An action group with a broken address is refused; an alert that reaches nobody is none.",
    fix="Write name@example.com.",
    source="Azure Monitor action groups",
)
def notify(context: Context) -> Iterator[Problem]:
    monitor = context.stack.monitor
    for index, mail in enumerate(monitor.notify if monitor else ()):
        if is_known(mail) and not _MAIL.match(mail):
            yield Problem(
                "monitor",
                ("monitor", "notify", index),
                f"`{shown(mail)}` is not a mail address",
                "write name@example.com",
            )


@rule(
    "A009",
    WARNING,
    "Alerts reach somebody",
    why="HDInsight has no alerts of its own; those of the stack are worth nothing when nobody is told.",
    fix="Add an address to `monitor.notify`, or say `alerts: none`.",
    source="hdictl",
)
def nobody_notified(context: Context) -> Iterator[Problem]:
    monitor = context.stack.monitor
    if monitor and monitor.alerts != "none" and not monitor.notify:
        yield Problem(
            "monitor",
            ("monitor",),
            "there are alerts, and nobody is notified",
            "add `notify: [oncall@example.com]`, or say `alerts: none`",
        )
