"""R: clusters in subnets: which one, and whether there is room."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network

from hdictl.stack.check.context import Context, is_known, most_workers
from hdictl.stack.check.network import subnets
from hdictl.stack.check.registry import ERROR, WARNING, Problem, rule
from hdictl.stack.clusters import AnyCluster, KafkaCluster
from hdictl.stack.shown import shown
from hdictl.stack.suggest import did_you_mean

_AZURE_KEEPS = 5  # addresses of every subnet
_FIXED_NODES = 2 + 3 + 2  # head, ZooKeeper, gateway
_LOAD_BALANCERS = 3
_MANAGEMENT_NODES = 2  # of Kafka's REST proxy
_PRIVATE_LINK = 2 + 2  # gateway and head node: the address that a link translates to, and a private endpoint
_PLAN = "Microsoft Learn: hdinsight-plan-virtual-network-deployment"


@rule(
    "R006",
    ERROR,
    "Every cluster has a subnet in its region's network",
    why="A cluster goes into the subnet that bears its key, or the one that `subnet` names.",
    fix="Add the subnet, or name one that exists.",
    source=_PLAN,
)
def subnet_exists(context: Context) -> Iterator[Problem]:
    for key, cluster in context.stack.clusters.items():
        region = context.location(cluster)
        network = context.stack.network.get(region or "")
        wanted = context.subnet(key)
        if network and is_known(wanted) and wanted not in network.subnets:
            yield Problem(
                f"cluster:{key}",
                ("clusters", key, "subnet") if cluster.subnet else ("clusters", key),
                f"the network of {region} has no subnet `{shown(wanted)}`{did_you_mean(wanted, network.subnets)}",
                f"add it under network.{region}.subnets, or set `subnet:` on cluster `{key}`",
            )


def _tenants(context: Context) -> dict[tuple[str, str], list[str]]:
    """(region, subnet) → the clusters in it."""
    tenants: dict[tuple[str, str], list[str]] = {}
    for key, cluster in context.stack.clusters.items():
        region = context.location(cluster)
        if region in context.stack.network:
            tenants.setdefault((str(region), context.subnet(key)), []).append(key)
    return tenants


def _rooms(context: Context) -> Iterator[tuple[str, str, IPv4Network, int, int, int]]:
    """Region, subnet, its range, free addresses, addresses needed now, and needed when workers double."""
    for (region, name), keys in _tenants(context).items():
        subnet = subnets(context, region).get(name)
        if subnet is not None:
            workers = sum(most_workers(context.stack.clusters[key]) for key in keys)
            fixed = sum(_fixed(context.stack.clusters[key]) for key in keys)
            yield region, name, subnet, subnet.num_addresses - _AZURE_KEEPS, fixed + workers, fixed + 2 * workers


def _fixed(cluster: AnyCluster) -> int:
    """Addresses that a cluster takes besides those of its workers."""
    has_proxy = isinstance(cluster, KafkaCluster) and cluster.rest_proxy is not None
    return _FIXED_NODES + _LOAD_BALANCERS + has_proxy * _MANAGEMENT_NODES + cluster.network.private_link * _PRIVATE_LINK


@rule(
    "R007",
    ERROR,
    "A subnet has an address for every node",
    why="A cluster takes 2 head, 3 ZooKeeper and 2 gateway nodes, its workers (autoscale's maximum), 2 management nodes"
    " with a REST proxy, and addresses for load balancers and private link; Azure keeps 5 of each subnet. A subnet "
    "with clusters in it cannot grow.",
    fix="Take a /24 for each cluster.",
    source=f"{_PLAN}; virtual-networks-faq",
)
def room(context: Context) -> Iterator[Problem]:
    for region, name, subnet, free, now, _ in _rooms(context):
        if free < now:
            yield Problem(
                f"network:{region}",
                ("network", region, "subnets", name),
                f"subnet `{name}` {subnet} has {free} addresses, its clusters need {now}",
                "take a /24",
            )


@rule(
    "R008",
    WARNING,
    "A subnet has room for twice the workers",
    why="A subnet that holds a cluster cannot be widened, and Kafka is scaled by adding brokers.",
    fix="Take a /24 for each cluster.",
    source=_PLAN,
)
def room_to_grow(context: Context) -> Iterator[Problem]:
    for region, name, subnet, free, now, later in _rooms(context):
        if now <= free < later:
            yield Problem(
                f"network:{region}",
                ("network", region, "subnets", name),
                f"subnet `{name}` {subnet} has {free} addresses; with twice the workers its clusters need {later}",
                "take a /24",
            )


@rule(
    "R009",
    WARNING,
    "Every cluster has a subnet of its own",
    why="Security rules and routes belong to a subnet, so two clusters in one cannot be told apart by them, and they "
    "compete for addresses.",
    fix="Add a subnet for each cluster.",
    source=_PLAN,
)
def shared(context: Context) -> Iterator[Problem]:
    for (region, name), keys in _tenants(context).items():
        for key in keys[1:]:
            yield Problem(
                f"cluster:{key}",
                ("clusters", key),
                f"clusters `{keys[0]}` and `{key}` share the subnet `{name}` of {region}",
                "give each its own subnet",
            )


@rule(
    "R010",
    ERROR,
    "On the target azure, every cluster's region has a network",
    why="Clusters are made into a VNet of the stack. One that HDInsight makes by itself nothing else can reach: no "
    "Spark job beside it, no mirror, no tools.",
    fix="Add the region to `network`.",
    source="Microsoft Learn: apache-kafka-connect-vpn-gateway",
    varies=True,
)
def region_without_network(context: Context) -> Iterator[Problem]:
    is_needed = context.target == "azure" and context.makes_clusters
    if not is_needed or context.is_cut("network"):
        return
    for key, cluster in context.stack.clusters.items():
        region = context.location(cluster)
        if region and region not in context.stack.network:
            yield Problem(
                f"cluster:{key}",
                ("clusters", key),
                f"cluster `{key}` is in {region}, which has no network{did_you_mean(region, context.stack.network)}",
                f"add `network: {{{region}: {{address_space: …, subnets: {{{context.subnet(key)}: …}}}}}}`",
            )


@rule(
    "R011",
    WARNING,
    "Every network has a cluster in it",
    why="A VNet with its NAT gateway costs money; a region that no cluster is in is usually a misspelt one.",
    fix="Take the region away, or mend its name.",
    source="hdictl",
)
def network_without_cluster(context: Context) -> Iterator[Problem]:
    used = {context.location(cluster) for cluster in context.stack.clusters.values()}
    if context.is_cut("clusters") or context.is_cut("azure") or None in used:
        return
    for region in context.stack.network:
        if region not in used:
            yield Problem(
                f"network:{region}", ("network", region), f"no cluster is in {region}", "take it away, or mend its name"
            )
