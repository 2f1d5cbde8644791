"""X06: VNets and subnets."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from hdictl.arm.lint.clusters import roles, subnets_of
from hdictl.arm.lint.fields import at, mapping, walk
from hdictl.arm.lint.ids import parse_id
from hdictl.arm.lint.marks import is_known, is_unknown_whole
from hdictl.arm.lint.networks import (
    PEERING,
    SUBNET,
    VNET,
    Part,
    lies_in,
    overlap,
    parts,
    prefixes,
    ranges,
    subnet_of_id,
    subnets,
    to_range,
)
from hdictl.arm.lint.registry import ERROR, Problem, rule
from hdictl.arm.lint.template import Template
from hdictl.stack.shown import shown
from hdictl.stack.suggest import did_you_mean

_BALANCER = "Microsoft Learn: load-balancer-migration-guidelines"


@rule(
    "X060",
    ERROR,
    "Every VNet and subnet that is named is there",
    why="Azure refuses the cluster (InvalidVirtualNetworkId) after everything before it was made.",
    fix="Mend the name. A network that exists already and lies elsewhere is named with its resource group.",
    source="HDInsight error codes",
)
def present(template: Template) -> Iterator[Problem]:
    vnets = [one for one in template.world if one.type.lower() == VNET]
    if not vnets:
        return  # the network is not this template's
    existing = {one.name.lower() for one in vnets if one.is_existing}
    names = {VNET: [one.name for one in vnets], SUBNET: [one.whole_name for one in subnets(template.world)]}
    for resource in template.resources:
        for path, text in walk(resource.body, resource.path):
            id = parse_id(text) if isinstance(text, str) and text.startswith("/") else None
            if id is None or id.type.lower() not in names or not template.graph.is_here(id) or not is_known(id.name):
                continue
            known = names[id.type.lower()]
            if id.name.lower() in [name.lower() for name in known] or id.name.partition("/")[0].lower() in existing:
                continue
            what = "subnet" if id.type.lower() == SUBNET else "VNet"
            yield Problem(
                path,
                f"{resource}: there is no {what} `{id.name}`{did_you_mean(id.name, known)}",
                "mend the name, or add it to the template",
            )


@rule(
    "X061",
    ERROR,
    "Nodes name their VNet and their subnet by whole ids",
    why="The schema calls `subnet` a name, the service takes nothing but the subnet's id; samples that give a name, or "
    "glue the VNet's id and a name together, do not deploy.",
    fix="Write [resourceId('Microsoft.Network/virtualNetworks/subnets', vnet, subnet)], and that VNet's id as `id`.",
    source="Requests recorded by azure-cli",
)
def id_form(template: Template) -> Iterator[Problem]:
    for cluster in template.clusters:
        for path, role in roles(cluster):
            profile = role.get("virtualNetworkProfile")
            if profile is None or is_unknown_whole(profile):
                continue
            vnet, subnet = at(profile, "id"), at(profile, "subnet")
            inner = (*path, "virtualNetworkProfile")
            if not _has_type(vnet, VNET):
                yield Problem(
                    (*inner, "id"), f"{cluster}: `{shown(vnet)}` is no id of a VNet", "write resourceId(…) of the VNet"
                )
            if not _has_type(subnet, SUBNET):
                yield Problem(
                    (*inner, "subnet"),
                    f"{cluster}: `{shown(subnet)}` is no id of a subnet",
                    "write resourceId(…) of the subnet",
                )
            elif not _is_inside(vnet, subnet):
                yield Problem(
                    (*inner, "subnet"), f"{cluster}: the subnet lies in another VNet than `id`", "name one VNet"
                )


def _has_type(text: object, wanted: str) -> bool:
    if isinstance(text, str) and not is_known(text.partition("/")[0]):
        return True  # it begins with something that is not known
    id = parse_id(text)
    return id is not None and id.prefix != "" and id.type.lower() == wanted


def _is_inside(vnet: str, subnet: str) -> bool:
    outer, inner = parse_id(vnet), parse_id(subnet)
    if outer is None or inner is None or not is_known([outer.name, inner.name]):
        return True  # as far as can be known
    return subnet.lower().startswith(f"{vnet.lower()}/subnets/")


def _cluster_subnets(template: Template) -> Iterator[tuple[str, Part]]:
    """Clusters with the subnets that they are in, as far as the template makes these."""
    for cluster in template.clusters:
        for text in dict.fromkeys(text for _, text in subnets_of(cluster)):
            subnet = subnet_of_id(template.world, text)
            if subnet is not None:
                yield str(cluster), subnet


@rule(
    "X062",
    ERROR,
    "The subnet of a cluster has a network security group",
    why="Clusters have a Standard Load Balancer, which lets nothing in that no group allows: without one HDInsight's "
    "own services do not reach the nodes, and creation fails.",
    fix="Set `networkSecurityGroup` on the subnet.",
    source=_BALANCER,
)
def has_group(template: Template) -> Iterator[Problem]:
    for cluster, subnet in _cluster_subnets(template):
        if at(subnet.properties, "networkSecurityGroup") is None:
            yield Problem(
                subnet.path,
                f"subnet `{subnet.whole_name}` of {cluster} has no network security group",
                "set `networkSecurityGroup`",
            )


@rule(
    "X063",
    ERROR,
    "The subnet of a cluster has a way out",
    why="Clusters have a Standard Load Balancer and no outbound access by default: without a NAT gateway, or routes to "
    "a firewall, creation fails after half an hour.",
    fix="Set `natGateway` on the subnet, or `routeTable` where a firewall leads out.",
    source=_BALANCER,
)
def way_out(template: Template) -> Iterator[Problem]:
    for cluster, subnet in _cluster_subnets(template):
        if at(subnet.properties, "natGateway") is None and at(subnet.properties, "routeTable") is None:
            yield Problem(
                subnet.path,
                f"subnet `{subnet.whole_name}` of {cluster} has neither NAT gateway nor routes",
                "set `natGateway`",
            )


@rule(
    "X064",
    ERROR,
    "Subnets lie in their VNet and do not overlap",
    why="Azure refuses the VNet (NetcfgInvalidSubnet, NetcfgSubnetRangesOverlap).",
    fix="Choose ranges that lie side by side in the VNet's address space.",
    source="Microsoft Learn: virtual-networks-faq",
)
def addresses(template: Template) -> Iterator[Problem]:
    for vnet in template.resources:
        if vnet.type.lower() == VNET:
            inside = [one for one in subnets(template.resources) if one.owner.lower() == vnet.name.lower()]
            space = Part(
                "", vnet.name, (*vnet.path, "properties", "addressSpace"), mapping(at(vnet.body, "properties"))
            )
            yield from _bad_ranges([space, *inside])
            yield from _misplaced(space, inside)


def _bad_ranges(written: list[Part]) -> Iterator[Problem]:
    for one in written:
        for text in prefixes(one.properties):
            if to_range(text) is None:
                yield Problem(
                    one.path, f"`{shown(text)}` of `{one.name}` is no address range", "write it as 10.0.1.0/24"
                )


def _misplaced(space: Part, inside: list[Part]) -> Iterator[Problem]:
    outer = ranges(space.properties)
    if len(outer) == len(prefixes(space.properties)) and outer:
        for one in inside:
            for found in ranges(one.properties):
                if not any(lies_in(found, whole) for whole in outer):
                    yield Problem(
                        one.path,
                        f"subnet `{one.name}` ({found}) lies outside VNet `{space.name}`",
                        "choose a range in it",
                    )
    for one, other in combinations(inside, 2):
        if one.name.lower() != other.name.lower() and _overlap(one, other):
            yield Problem(other.path, f"subnets `{one.name}` and `{other.name}` overlap", "choose another range")


def _overlap(one: Part, other: Part) -> bool:
    return any(overlap(left, right) for left in ranges(one.properties) for right in ranges(other.properties))


@rule(
    "X065",
    ERROR,
    "VNets that are peered do not overlap",
    why="Azure refuses to peer VNets whose addresses overlap (VnetAddressSpacesOverlap).",
    fix="Give each VNet addresses of its own.",
    source="Microsoft Learn: virtual-network-manage-peering",
)
def peers(template: Template) -> Iterator[Problem]:
    vnets = {one.name.lower(): one for one in template.world if one.type.lower() == VNET}
    for peering in parts(template.resources, VNET, PEERING.rpartition("/")[2]):
        remote = parse_id(at(peering.properties, "remoteVirtualNetwork", "id"))
        ours, theirs = vnets.get(peering.owner.lower()), vnets.get(remote.name.lower()) if remote else None
        if ours is None or theirs is None:
            continue
        spaces = [Part("", one.name, one.path, mapping(at(one.body, "properties"))) for one in (ours, theirs)]
        if _overlap(*spaces):
            yield Problem(
                peering.path,
                f"peered VNets `{ours.name}` and `{theirs.name}` overlap",
                "give each addresses of its own",
            )
