"""R: how a cluster and the world outside its VNet are joined: public addresses, private link, DNS, the way out."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Address

from hdictl.stack.check.context import Context, is_known
from hdictl.stack.check.registry import ERROR, WARNING, Problem, rule
from hdictl.stack.resource_names import Names
from hdictl.stack.shown import shown


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
    source="Microsoft Learn: hdinsight-restrict-public-connectivity",
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


@rule(
    "R017",
    WARNING,
    "Where a firewall leads out, its routes are there before the clusters",
    why="With `outbound: firewall` no NAT gateway is made: the subnets get the route table <stack>-<region>-routes, "
    "which is yours. Until its routes lead out, nodes reach nothing, and the cluster fails after half an hour.",
    fix="Make that route table in the stack's resource group, open what HDInsight needs, then waive this rule.",
    source="Microsoft Learn: hdinsight-restrict-outbound-traffic",
    varies=True,
)
def routes_before(context: Context) -> Iterator[Problem]:
    names = Names(context.stack)
    for region, network in context.stack.network.items() if context.target == "azure" else ():
        if network.outbound == "firewall":
            yield Problem(
                f"network:{region}",
                ("network", region, "outbound"),
                f"no NAT gateway is made in {region}: the route table `{names.route_table(region)}` "
                "must be there before, and lead out",
                f"make it in the stack's resource group, then waive R017 for network:{region}",
            )
