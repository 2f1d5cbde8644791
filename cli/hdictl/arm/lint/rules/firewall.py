"""X07: network security groups."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from hdictl.arm.lint.clusters import subnets_of
from hdictl.arm.lint.fields import at, sequence
from hdictl.arm.lint.ids import parse_id
from hdictl.arm.lint.marks import is_known
from hdictl.arm.lint.networks import NSG, Part, parts, subnet_of_id
from hdictl.arm.lint.registry import ERROR, Problem, rule
from hdictl.arm.lint.resource import Resource
from hdictl.arm.lint.template import Template
from hdictl.stack.shown import shown

_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,78}[A-Za-z0-9_])?")
_GROUPS = "Microsoft Learn: network-security-groups-overview"


def _rules(template: Template) -> Iterator[Part]:
    return parts(template.resources, NSG, "securityRules")


@rule(
    "X070",
    ERROR,
    "Priorities of security rules are whole numbers from 100 to 4096",
    why="Azure refuses the group (SecurityRuleInvalidPriority).",
    fix="Choose a priority from 100 to 4096.",
    source=_GROUPS,
)
def priority(template: Template) -> Iterator[Problem]:
    for one in _rules(template):
        found = one.properties.get("priority")
        if not is_known(found):
            continue
        if isinstance(found, bool) or not isinstance(found, int) or not 100 <= found <= 4096:
            yield Problem(
                (*one.path, "properties", "priority"),
                f"priority `{shown(found)}` of security rule `{one.name}` is not in 100–4096",
                "choose one from 100 to 4096",
            )


@rule(
    "X071",
    ERROR,
    "No two rules of a group have one direction and one priority",
    why="Azure refuses the group (SecurityRuleConflict).",
    fix="Give one of them another priority.",
    source=_GROUPS,
)
def conflict(template: Template) -> Iterator[Problem]:
    seen: dict[tuple[str, str, str], str] = {}
    for one in _rules(template):
        found = one.properties.get("priority")
        if found is None or not is_known(found):
            continue
        key = (one.owner.lower(), str(one.properties.get("direction")).lower(), str(found))
        other = seen.setdefault(key, one.name)
        if other.lower() != one.name.lower():
            yield Problem(
                (*one.path, "properties", "priority"),
                f"security rules `{other}` and `{one.name}` of `{one.owner}` both have priority {found}, {key[1]}",
                "give one of them another priority",
            )


@rule(
    "X072",
    ERROR,
    "Security rules have names that Azure takes, each once",
    why="1–80 letters, digits, `.`, `_` and `-`, a letter or digit first; of two with one name the last holds.",
    fix="Mend or change the name.",
    source="Microsoft Learn: resource-name-rules",
)
def named(template: Template) -> Iterator[Problem]:
    seen: set[tuple[str, str]] = set()
    for one in _rules(template):
        key = (one.owner.lower(), one.name.lower())
        if is_known(one.name) and not _NAME.fullmatch(one.name):
            yield Problem((*one.path, "name"), f"`{shown(one.name)}` is no name of a security rule", "mend the name")
        elif key in seen:
            yield Problem((*one.path, "name"), f"`{one.owner}` has two security rules `{one.name}`", "rename one")
        seen.add(key)


@rule(
    "X073",
    ERROR,
    "The group of a cluster's subnet lets HDInsight's services in",
    why="Unless the cluster's connection is `Outbound`, HDInsight reaches the nodes from its service tag on port 443; "
    "a group that does not allow it fails creation, scaling and script actions "
    "(InvalidNetworkSecurityGroupSecurityRules).",
    fix="Allow TCP 443 inbound from the service tag HDInsight, or HDInsight.<region>.",
    source="Microsoft Learn: hdinsight-service-tags",
)
def service_tag(template: Template) -> Iterator[Problem]:
    for cluster in template.clusters:
        connection = at(cluster.body, "properties", "networkProperties", "resourceProviderConnection")
        if connection is not None and (not is_known(connection) or str(connection).lower() == "outbound"):
            continue
        for group in sorted(set(_groups(template, cluster))):
            allowed = [one.properties for one in parts(template.world, NSG, "securityRules") if one.owner == group]
            if not any(map(_lets_in, allowed)):
                yield Problem(
                    next(one.path for one in template.world if one.name == group and one.type.lower() == NSG),
                    f"security group `{group}` lets HDInsight not in to {cluster}",
                    "allow TCP 443 inbound from the service tag HDInsight",
                )


def _groups(template: Template, cluster: Resource) -> Iterator[str]:
    """Names of the groups of the cluster's subnets that this file makes."""
    made = {one.name for one in template.world if one.type.lower() == NSG}
    for _, text in subnets_of(cluster):
        subnet = subnet_of_id(template.world, text)
        id = parse_id(at(subnet.properties, "networkSecurityGroup", "id")) if subnet else None
        if id is not None and id.name in made:
            yield id.name


def _lets_in(properties: Mapping[str, Any]) -> bool:
    sources = [properties.get("sourceAddressPrefix"), *sequence(properties.get("sourceAddressPrefixes"))]
    ports = [properties.get("destinationPortRange"), *sequence(properties.get("destinationPortRanges"))]
    return (
        str(properties.get("direction")).lower() == "inbound"
        and str(properties.get("access")).lower() == "allow"
        and any(
            not is_known(one) or str(one).startswith(("HDInsight", "*", "Internet", "AzureCloud")) for one in sources
        )
        and any(not is_known(one) or _covers(str(one)) for one in ports)
    )


def _covers(port: str) -> bool:
    first, _, last = port.partition("-")
    return port == "*" or (first.isdecimal() and int(first) <= 443 <= int(last if last.isdecimal() else first))
