"""R: the networks of regions: address spaces and the ranges in them."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network, ip_network
from itertools import combinations

from hdictl.stack.check.context import Context, is_known
from hdictl.stack.check.registry import ERROR, WARNING, Problem, rule
from hdictl.stack.shown import shown
from hdictl.stack.source import Path

_PRIVATE = tuple(IPv4Network(net) for net in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"))
# Azure takes none of these into a VNet; 168.63.129.16 is its own DNS and health probe.
_FORBIDDEN = tuple(
    IPv4Network(net)
    for net in ("224.0.0.0/4", "255.255.255.255/32", "127.0.0.0/8", "169.254.0.0/16", "168.63.129.16/32")
)
_SMALLEST, _LARGEST = 29, 8
_VNET = "Microsoft Learn: virtual-networks-faq"


def parsed(text: str) -> IPv4Network | str:
    """A network, or what is wrong with the text."""
    try:
        network = ip_network(text, strict=False)
    except ValueError:
        return "is not an address range such as 10.20.0.0/16"
    if not isinstance(network, IPv4Network):
        return "is IPv6; HDInsight takes IPv4 only"
    faults = {
        "has no prefix length such as /24": "/" not in text,
        f"has host bits set; the range is {network}": text.partition("/")[0] != str(network.network_address),
        "takes in addresses that Azure keeps for itself": any(network.overlaps(kept) for kept in _FORBIDDEN),
        f"must be between /{_LARGEST} and /{_SMALLEST}": not _LARGEST <= network.prefixlen <= _SMALLEST,
    }
    return next((fault for fault, holds in faults.items() if holds), network)


def _ranges(context: Context) -> Iterator[tuple[str, Path, str]]:
    for region, network in context.stack.network.items():
        yield region, ("network", region, "address_space"), network.address_space
        for subnet, text in network.subnets.items():
            yield region, ("network", region, "subnets", subnet), text


def _space(context: Context, region: str) -> IPv4Network | None:
    network = context.stack.network.get(region)
    space = parsed(network.address_space) if network else None
    return space if isinstance(space, IPv4Network) else None


def subnets(context: Context, region: str) -> dict[str, IPv4Network]:
    found = {name: parsed(text) for name, text in context.stack.network[region].subnets.items()}
    return {name: range_ for name, range_ in found.items() if isinstance(range_, IPv4Network)}


@rule(
    "R001",
    ERROR,
    "Address spaces and subnets are IPv4 ranges that Azure accepts",
    why="Azure refuses ranges with host bits set, IPv6 for HDInsight, and those that it keeps for itself.",
    fix="Write a range such as 10.20.0.0/16, and 10.20.1.0/24 for a subnet.",
    source=_VNET,
)
def ranges(context: Context) -> Iterator[Problem]:
    for region, path, text in _ranges(context):
        if is_known(text) and isinstance(fault := parsed(text), str):
            yield Problem(
                f"network:{region}",
                path,
                f"`{shown(text)}` {fault}",
                "write a range such as 10.20.0.0/16 or 10.20.1.0/24",
            )


@rule(
    "R002",
    WARNING,
    "Address spaces are private",
    why="Inside a VNet with a public range, the real owners of those addresses cannot be reached.",
    fix="Take a range of 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16.",
    source="RFC 1918, RFC 6598",
)
def private(context: Context) -> Iterator[Problem]:
    for region in context.stack.network:
        space = _space(context, region)
        if space and not any(space.subnet_of(range_) for range_ in _PRIVATE):
            yield Problem(
                f"network:{region}",
                ("network", region, "address_space"),
                f"{space} is not a private range",
                "take one of 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16",
            )


@rule(
    "R003",
    ERROR,
    "Subnets lie inside their address space",
    why="Azure refuses a subnet outside its VNet.",
    fix="Mend the subnet, or widen the address space.",
    source=_VNET,
)
def inside(context: Context) -> Iterator[Problem]:
    for region in context.stack.network:
        space = _space(context, region)
        for name, subnet in subnets(context, region).items() if space else ():
            if space and not subnet.subnet_of(space):
                yield Problem(
                    f"network:{region}",
                    ("network", region, "subnets", name),
                    f"subnet `{name}` {subnet} is outside the address space {space}",
                    f"take a range inside {space}",
                )


@rule(
    "R004",
    ERROR,
    "Subnets do not overlap",
    why="Azure refuses the second of two subnets that share addresses.",
    fix="Move one of them.",
    source=_VNET,
)
def subnets_apart(context: Context) -> Iterator[Problem]:
    for region in context.stack.network:
        for (one, first), (other, second) in combinations(subnets(context, region).items(), 2):
            if first.overlaps(second):
                yield Problem(
                    f"network:{region}",
                    ("network", region, "subnets", other),
                    f"subnets `{one}` {first} and `{other}` {second} overlap",
                    "move one of them",
                )


@rule(
    "R005",
    ERROR,
    "VNets of regions do not overlap",
    why="The VNets of a stack are peered, so that mirrors and jobs reach brokers in other regions, and Azure does not "
    "peer VNets that share addresses. It cannot be mended later without building the clusters anew.",
    fix="Give each region an address space of its own, such as 10.20.0.0/16 and 10.30.0.0/16.",
    source="Microsoft Learn: virtual-network-peering-overview; apache-kafka-mirror-maker-2",
)
def peers_apart(context: Context) -> Iterator[Problem]:
    spaces = [(region, space) for region in context.stack.network if (space := _space(context, region))]
    for (one, first), (other, second) in combinations(spaces, 2):
        if first.overlaps(second):
            yield Problem(
                f"network:{other}",
                ("network", other, "address_space"),
                f"the VNets of {one} ({first}) and {other} ({second}) are peered, and they overlap",
                "give one of them another address space",
            )
