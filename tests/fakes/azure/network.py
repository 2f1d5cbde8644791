"""Networks: a VNet and its subnets are one thing and many, and nothing goes while somebody uses it."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tests.fakes.azure.hdinsight.cluster import TYPE as CLUSTER_TYPE
from tests.fakes.azure.kinds import Kind
from tests.fakes.azure.messages import Answer, Refused, Request, not_found
from tests.fakes.azure.names import ResourceId, parse_id
from tests.fakes.azure.routes import GROUP, Routes

if TYPE_CHECKING:
    from tests.fakes.azure.world import Resource, World

VNET = "Microsoft.Network/virtualNetworks"
SUBNET = f"{VNET}/subnets"
PEERING = f"{VNET}/virtualNetworkPeerings"


class NetworkKind(Kind):
    making = "Updating"  # `Creating` is none of the states of Microsoft.Network


class ZoneGroupKind(NetworkKind):
    """The private DNS zones of an endpoint: one of the few whose type is not told."""

    def shown(self, world: World, resource: Resource) -> dict[str, Any]:
        return {key: value for key, value in super().shown(world, resource).items() if key != "type"}


class VnetKind(NetworkKind):
    """Subnets are resources of their own; the VNet's body shows them. A PUT without one of them takes it away."""

    def admit(self, world: World, id: ResourceId, body: Mapping[str, Any], existing: Resource | None) -> None:
        properties = body.get("properties") or {}
        spaces = _prefixes((properties.get("addressSpace") or {}).get("addressPrefixes"), id.name)
        named = {subnet["name"].lower() for subnet in properties.get("subnets") or ()}
        for subnet in properties.get("subnets") or ():
            _admit_subnet(world, subnet, spaces)
        for each in _children(world, id, SUBNET) if existing is not None else ():
            if each.id.name.lower() not in named:
                _refuse_used_subnet(world, each)

    def made(self, world: World, id: ResourceId, body: Mapping[str, Any]) -> dict[str, Any]:
        made = super().made(world, id, body)
        subnets = made["properties"].pop("subnets", [])
        made["properties"].pop("virtualNetworkPeerings", None)
        named = {subnet["name"].lower() for subnet in subnets}
        for gone in [each for each in _children(world, id, SUBNET) if each.id.name.lower() not in named]:
            world.remove(gone.id)
        for subnet in subnets:
            _keep(world, id.child("subnets", subnet["name"]), subnet)
        return made

    def shown(self, world: World, resource: Resource) -> dict[str, Any]:
        shown = super().shown(world, resource)
        shown["properties"]["subnets"] = [_SUBNETS.shown(world, each) for each in _children(world, resource.id, SUBNET)]
        peerings = [super(VnetKind, self).shown(world, each) for each in _children(world, resource.id, PEERING)]
        shown["properties"]["virtualNetworkPeerings"] = peerings
        return shown

    def may_go(self, world: World, resource: Resource) -> None:
        for subnet in _children(world, resource.id, SUBNET):
            _refuse_used_subnet(world, subnet)


class SubnetKind(NetworkKind):
    def admit(self, world: World, id: ResourceId, body: Mapping[str, Any], existing: Resource | None) -> None:
        vnet = world.find(id.parent) if id.parent else None
        if vnet is None:
            raise not_found(str(id.parent))
        spaces = _prefixes(vnet.properties["addressSpace"]["addressPrefixes"], vnet.id.name)
        _admit_subnet(world, {**body, "name": id.name}, spaces)

    def may_go(self, world: World, resource: Resource) -> None:
        _refuse_used_subnet(world, resource)


_SUBNETS = SubnetKind()


class PeeringKind(NetworkKind):
    """Connected when the other side has one too."""

    def shown(self, world: World, resource: Resource) -> dict[str, Any]:
        shown = super().shown(world, resource)
        mine = str(resource.id.parent).lower()
        remote = str(resource.properties["remoteVirtualNetwork"]["id"])
        back = [
            each
            for each in world.of_type(PEERING)
            if str(each.id.parent).lower() == remote.lower()
            and str(each.properties["remoteVirtualNetwork"]["id"]).lower() == mine
        ]
        shown["properties"]["peeringState"] = "Connected" if back else "Initiated"
        return shown


class UsedBySubnets(NetworkKind):
    """Security groups and NAT gateways: subnets point at them."""

    def __init__(self, property: str, code: str) -> None:
        self._property = property
        self._code = code

    def may_go(self, world: World, resource: Resource) -> None:
        for subnet in world.of_type(SUBNET):
            used = (subnet.properties.get(self._property) or {}).get("id", "")
            if used.lower() == str(resource.id).lower():
                message = f"'{resource.id.name}' cannot be deleted because it is in use by '{subnet.id}'."
                raise Refused(400, self._code, message)


class PublicIpKind(NetworkKind):
    def added(self, world: World, id: ResourceId) -> dict[str, Any]:
        return {"ipAddress": "203.0.113.17"}

    def may_go(self, world: World, resource: Resource) -> None:
        for nat in world.of_type("Microsoft.Network/natGateways"):
            used = [str(each.get("id")).lower() for each in nat.properties.get("publicIpAddresses") or ()]
            if str(resource.id).lower() in used:
                message = f"Public IP address {resource.id} can not be deleted since it is still allocated to {nat.id}."
                raise Refused(400, "PublicIPAddressCannotBeDeleted", message)


class Network:
    """Requests that are not about one resource."""

    def __init__(self, world: World) -> None:
        self._world = world

    def register(self, routes: Routes) -> None:
        routes.add("GET", GROUP + f"/providers/{VNET}/{{vnet}}/usages", self.usages)

    def usages(self, request: Request) -> Answer:
        """Five addresses of a subnet are Azure's own; every node of a cluster has one, and two gateways."""
        id = parse_id(request.path.rpartition("/")[0])
        vnet = self._world.read(id)
        listed = []
        for subnet in _children(self._world, vnet.id, SUBNET):
            network = ipaddress.ip_network(subnet.properties["addressPrefix"])
            used = sum(_addresses(each) for each in _clusters_in(self._world, subnet))
            listed.append(
                {
                    "id": str(subnet.id),
                    "name": {"value": "SubnetSpace", "localizedValue": "Subnet size and usage"},
                    "currentValue": float(used),
                    "limit": float(network.num_addresses - 5),
                    "unit": "Count",
                }
            )
        return Answer(200, {"value": listed})


def _keep(world: World, id: ResourceId, written: Mapping[str, Any]) -> None:
    from tests.fakes.azure.world import Resource

    properties = {**(written.get("properties") or {}), "provisioningState": "Succeeded"}
    world.resources[str(id).lower()] = Resource(id, {"properties": properties})


def _children(world: World, vnet: ResourceId, type: str) -> list[Resource]:
    return [each for each in world.of_type(type) if str(each.id.parent).lower() == str(vnet).lower()]


def _clusters_in(world: World, subnet: Resource) -> list[Resource]:
    return [
        each
        for each in world.of_type(CLUSTER_TYPE)
        if any(
            str((role.get("virtualNetworkProfile") or {}).get("subnet", "")).lower() == str(subnet.id).lower()
            for role in each.properties["computeProfile"]["roles"]
        )
    ]


def _addresses(cluster: Resource) -> int:
    return 2 + sum(int(role["targetInstanceCount"]) for role in cluster.properties["computeProfile"]["roles"])


def _refuse_used_subnet(world: World, subnet: Resource) -> None:
    users = _clusters_in(world, subnet)
    if users:
        raise Refused(
            400,
            "InUseSubnetCannotBeDeleted",
            f"Subnet {subnet.id.name} is in use by {users[0].id} and cannot be deleted. In order to delete the subnet, "
            "delete all the resources within the subnet.",
        )


def _prefixes(texts: Any, name: str) -> list[ipaddress.IPv4Network]:
    try:
        return [ipaddress.IPv4Network(text) for text in texts]
    except (TypeError, ValueError):
        message = f"Address prefix {texts} of '{name}' is invalid."
        raise Refused(400, "InvalidAddressPrefixFormat", message) from None


def _admit_subnet(world: World, subnet: Mapping[str, Any], spaces: list[ipaddress.IPv4Network]) -> None:
    properties = subnet.get("properties") or {}
    (network,) = _prefixes([properties.get("addressPrefix")], str(subnet.get("name")))
    if not any(network.subnet_of(space) for space in spaces):
        message = f"Subnet '{subnet.get('name')}' is not valid because its IP address range is outside the network's."
        raise Refused(400, "NetcfgInvalidSubnet", message)
    for key in ("networkSecurityGroup", "natGateway", "routeTable"):
        wanted = (properties.get(key) or {}).get("id")
        found = world.find(str(wanted)) if wanted else None
        if wanted and (found is None or not found.is_ready):
            message = f"Resource {wanted} referenced by subnet '{subnet.get('name')}' was not found."
            raise Refused(400, "InvalidResourceReference", message)
