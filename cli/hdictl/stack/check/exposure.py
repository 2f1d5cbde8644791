"""R: who is let in to gateways and SSH."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network, ip_network

from hdictl.stack.check.context import Context, is_known
from hdictl.stack.check.registry import ERROR, WARNING, Problem, rule
from hdictl.stack.shown import shown

_WIDEST = 8  # a prefix shorter than this is a good part of the world
_EVERYBODY = ("*", "any", "internet")
_CONTROL = "Microsoft Learn: control-network-traffic"


def _admitted(text: str) -> IPv4Network | str:
    """An address or a range, or what is wrong with the text."""
    try:
        network = ip_network(text, strict=False)
    except ValueError:
        return "is not an address or an address range"
    if not isinstance(network, IPv4Network):
        return "is IPv6; HDInsight takes IPv4 only"
    if text.partition("/")[0] != str(network.network_address):
        return f"has host bits set; the range is {network}"
    return network


def _is_everybody(text: str) -> bool:
    admitted = _admitted(text)
    is_wide = isinstance(admitted, IPv4Network) and admitted.prefixlen < _WIDEST
    return is_wide or text.strip().lower() in _EVERYBODY


@rule(
    "R015",
    ERROR,
    "`admins` are IPv4 addresses and ranges",
    why="They become the sources of security rules; one that cannot be read fails the whole deployment.",
    fix="Write 203.0.113.7/32 for one machine, 198.51.100.0/24 for an office.",
    source=_CONTROL,
)
def admins(context: Context) -> Iterator[Problem]:
    for region, network in context.stack.network.items():
        for index, text in enumerate(network.admins):
            if is_known(text) and not _is_everybody(text) and isinstance(fault := _admitted(text), str):
                yield Problem(
                    f"network:{region}",
                    ("network", region, "admins", index),
                    f"`{shown(text)}` {fault}",
                    "write 203.0.113.7/32 for one machine, 198.51.100.0/24 for an office",
                )


@rule(
    "R016",
    ERROR,
    "`admins` does not let the world in",
    why="Gateways (443) and SSH (22, 23) of all clusters of the region would be open to everybody who guesses a "
    "password.",
    fix="Name the addresses of those who need it, at most a /8.",
    source=_CONTROL,
)
def not_everybody(context: Context) -> Iterator[Problem]:
    for region, network in context.stack.network.items():
        for index, text in enumerate(network.admins):
            if is_known(text) and _is_everybody(text):
                yield Problem(
                    f"network:{region}",
                    ("network", region, "admins", index),
                    f"`{shown(text)}` opens gateways and SSH of every cluster in {region} to the world",
                    "name your own address, such as 203.0.113.7/32",
                )


@rule(
    "R018",
    WARNING,
    "A cluster that is reached by SSH lets this machine in",
    why="The security rules admit SSH only from `admins`, and an outbound cluster has no public address at all.",
    fix="Add this machine's address to `admins`, or say `access: direct` and run hdictl inside the VNet.",
    source=_CONTROL,
)
def ssh_admitted(context: Context) -> Iterator[Problem]:
    for key, cluster in context.stack.clusters.items():
        region = context.location(cluster)
        network = context.stack.network.get(region or "")
        if cluster.access != "ssh" or network is None:
            continue
        if cluster.network.connection == "outbound":
            what = "has no public address (`connection: outbound`)"
        elif not network.admins:
            what = f"admits nobody: network.{region}.admins is empty"
        else:
            continue
        yield Problem(
            f"cluster:{key}",
            ("clusters", key, "access"),
            f"cluster `{key}` is reached by SSH, and {what}",
            f"add your address to network.{region}.admins, or say `access: direct`"
            if cluster.network.connection == "inbound"
            else "say `access: direct`, and run hdictl inside the VNet",
        )
