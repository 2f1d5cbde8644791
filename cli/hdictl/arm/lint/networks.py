"""VNets, subnets and security groups of a template, wherever they are written: inline, or as resources of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any

from hdictl.arm.lint.fields import at, sequence
from hdictl.arm.lint.ids import parse_id
from hdictl.arm.lint.marks import is_known
from hdictl.arm.lint.resource import Resource
from hdictl.stack.source import Path

VNET = "microsoft.network/virtualnetworks"
SUBNET = f"{VNET}/subnets"
PEERING = f"{VNET}/virtualnetworkpeerings"
NSG = "microsoft.network/networksecuritygroups"

Range = IPv4Network | IPv6Network


@dataclass(frozen=True)
class Part:
    """Something inside a resource: a subnet of a VNet, a rule of a security group."""

    owner: str  # name of the VNet or group
    name: str
    path: Path
    properties: Mapping[str, Any]

    @property
    def whole_name(self) -> str:
        return f"{self.owner}/{self.name}"


def parts(resources: Iterable[Resource], owner_type: str, member: str) -> Iterator[Part]:
    for resource in resources:
        if resource.type.lower() == owner_type:
            for index, one in enumerate(sequence(at(resource.body, "properties", member))):
                if isinstance(one, Mapping):
                    path = (*resource.path, "properties", member, index)
                    yield Part(resource.name, str(one.get("name", "")), path, _properties(one))
        elif resource.type.lower() == f"{owner_type}/{member.lower()}":
            owner, _, name = resource.name.rpartition("/")
            yield Part(owner, name, resource.path, _properties(resource.body))


def _properties(body: Mapping[str, Any]) -> Mapping[str, Any]:
    found = body.get("properties")
    return found if isinstance(found, Mapping) else {}


def subnets(resources: Iterable[Resource]) -> Iterator[Part]:
    return parts(resources, VNET, "subnets")


def subnet_of_id(resources: Iterable[Resource], text: str) -> Part | None:
    id = parse_id(text)
    if id is None or id.type.lower() != SUBNET:
        return None
    return next((one for one in subnets(resources) if one.whole_name.lower() == id.name.lower()), None)


def prefixes(properties: Mapping[str, Any]) -> list[str]:
    """The ranges that a VNet or subnet is made of, as written, as far as they are known."""
    found = [
        properties.get("addressPrefix"),
        *sequence(properties.get("addressPrefixes")),
        *sequence(at(properties, "addressSpace", "addressPrefixes")),
    ]
    return [one for one in found if isinstance(one, str) and is_known(one)]


def to_range(text: str) -> Range | None:
    """None: it is no range, or has bits beyond its length, which Azure refuses."""
    try:
        return ip_network(text)
    except ValueError:
        return None


def ranges(properties: Mapping[str, Any]) -> list[Range]:
    return [found for text in prefixes(properties) if (found := to_range(text)) is not None]


def overlap(one: Range, other: Range) -> bool:
    return one.version == other.version and one.overlaps(other)


def lies_in(one: Range, outer: Range) -> bool:
    if isinstance(one, IPv4Network) and isinstance(outer, IPv4Network):
        return one.subnet_of(outer)
    return isinstance(one, IPv6Network) and isinstance(outer, IPv6Network) and one.subnet_of(outer)
