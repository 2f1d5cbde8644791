"""Networks: a VNet a region, its subnets and who may come in, and what joins regions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from hdictl.arm.modules import Call
from hdictl.stack.clusters import AnyCluster, KafkaCluster
from hdictl.stack.model import Stack
from hdictl.stack.place import Region
from hdictl.stack.resource_names import Names


def network_calls(stack: Stack, names: Names) -> Iterator[Call]:
    for region, network in sorted(stack.network.items()):
        yield Call("network", _network(stack, names, region, network))
    for one, other in combinations(sorted(stack.network), 2):
        yield Call(
            "peering",
            {
                "vnet": names.vnet(one),
                "peering": names.peering(other),
                "otherVnet": names.vnet(other),
                "otherPeering": names.peering(one),
            },
        )
    if any(cluster.network.private_link for cluster in stack.clusters.values()):
        vnets = [names.vnet(region) for region in sorted(stack.network)]
        yield Call("private-dns", {"tags": names.tags(), "vnets": vnets})


def _network(stack: Stack, names: Names, region: str, network: Region) -> dict[str, Any]:
    has_nat = network.outbound == "nat"
    return {
        "location": region,
        "tags": names.tags(),
        "vnet": names.vnet(region),
        "addressSpace": network.address_space,
        "dnsServers": network.dns,
        "natGateway": names.nat(region) if has_nat else "",
        "publicIp": names.public_ip(region) if has_nat else "",
        "routeTable": "" if has_nat else names.route_table(region),
        "admins": network.admins,
        "subnets": [
            {
                "name": subnet,
                "addressPrefix": addresses,
                "securityGroup": names.nsg(region, subnet),
                **_needs(tenants(stack, region, subnet)),
            }
            for subnet, addresses in sorted(network.subnets.items())
        ],
    }


def tenants(stack: Stack, region: str, subnet: str) -> list[AnyCluster]:
    """The clusters in a subnet."""
    return [
        cluster
        for key, cluster in stack.clusters.items()
        if stack.location_of(key) == region and stack.subnet_of(key) == subnet
    ]


def _needs(clusters: list[AnyCluster]) -> dict[str, bool]:
    return {
        "inbound": any(cluster.network.connection == "inbound" for cluster in clusters),
        "restProxy": any(isinstance(cluster, KafkaCluster) and cluster.rest_proxy is not None for cluster in clusters),
        "privateLink": any(cluster.network.private_link for cluster in clusters),
    }


def private_endpoint_calls(stack: Stack, names: Names) -> Iterator[Call]:
    for key, cluster in sorted(stack.clusters.items()):
        region = stack.location_of(key)
        if cluster.network.private_link and region is not None:
            yield Call(
                "private-endpoints",
                {
                    "location": region,
                    "tags": names.tags(key),
                    "cluster": stack.azure_name(key),
                    "vnet": names.vnet(region),
                    "subnet": stack.subnet_of(key),
                },
            )
