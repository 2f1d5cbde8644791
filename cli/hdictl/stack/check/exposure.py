"""R: who reaches a cluster from outside, and how it gets out."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network, ip_network

from hdictl.stack.check.context import Context, is_known
from hdictl.stack.check.registry import ERROR, WARNING, Problem, rule
from hdictl.stack.shown import shown

_WIDEST = 8  # a prefix shorter than this is a good part of the world
_EVERYBODY = ("*", "any", "internet")
_RESTRICT = "Microsoft Learn: hdinsight-restrict-public-connectivity"
_CONTROL = "Microsoft Learn: control-network-traffic"


@rule(
    "R012",
    ERROR,
    "Private link goes with an outbound connection",
    why="HDInsight offers private link only to clusters that have no public addresses.",
    fix="Set `network.connection: outbound` on the cluster, or leave `private_link` out.",
    source="Microsoft Learn: hdinsight-private-link",
)
def private_link(context: Context) -> Iterator[Problem]:
    for key, cluster in context.stack.clusters.items():
        if cluster.network.private_link and cluster.network.connection != "outbound":
            yield Problem(
                f"cluster:{key}",
                ("clusters", key, "network", "private_link"),
                f"cluster `{key}` has private link and an inbound connection",
                "add `connection: outbound`, or leave private_link out",
            )


@rule(
    "R013",
    WARNING,
    "Clusters with and without public addresses do not share a VNet",
    why="An outbound cluster is found by a private DNS zone azurehdinsight.net in its VNet; that zone also hides the "
    "public names of the other clusters there.",
    fix="Give all clusters of a region one kind of connection.",
    source=_RESTRICT,
)
def one_connection(context: Context) -> Iterator[Problem]:
    first: dict[str, tuple[str, str]] = {}
    for key, cluster in context.stack.clusters.items():
        region = context.location(cluster)
        if region is None:
            continue
        connection = cluster.network.connection
        other, others = first.setdefault(region, (key, connection))
        if connection != others:
            yield Problem(
                f"cluster:{key}",
                ("clusters", key, "network", "connection"),
                f"in the VNet of {region}, cluster `{other}` is {others} and `{key}` is {connection}",
                "give both the same connection, or put one into another region",
            )


@rule(
    "R014",
    ERROR,
    "DNS servers are IPv4 addresses",
    why="A VNet takes addresses, not names; and what it takes cannot be changed under a living cluster.",
    fix="Write addresses such as 10.20.0.4.",
    source="Microsoft Learn: virtual-networks-name-resolution-for-vms-and-role-instances",
)
def dns_servers(context: Context) -> Iterator[Problem]:
    for region, network in context.stack.network.items():
        for index, server in enumerate(network.dns):
            if is_known(server) and not _is_address(server):
                yield Problem(
                    f"network:{region}",
                    ("network", region, "dns", index),
                    f"`{shown(server)}` is not an IPv4 address",
                    "write an address such as 10.20.0.4",
                )


def _is_address(text: str) -> bool:
    try:
        IPv4Address(text)
    except ValueError:
        return False
    return True


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
    "R017",
    WARNING,
    "Where a firewall leads out, its routes are there before the clusters",
    why="With `outbound: firewall` no NAT gateway is made. Until a route of yours leads out of the subnet, nodes reach "
    "nothing, and the cluster fails after half an hour.",
    fix="Attach the route table and open what HDInsight needs, then waive this rule.",
    source="Microsoft Learn: hdinsight-restrict-outbound-traffic",
    varies=True,
)
def routes_before(context: Context) -> Iterator[Problem]:
    for region, network in context.stack.network.items() if context.target == "azure" else ():
        if network.outbound == "firewall":
            yield Problem(
                f"network:{region}",
                ("network", region, "outbound"),
                f"no NAT gateway is made in {region}: a route of your own must lead out of its subnets",
                "see to the routes and the firewall first; then waive R017 for network:" + region,
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
