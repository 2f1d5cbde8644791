"""What HDInsight asks of the network that a cluster is put into."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from tests.fakes.azure.names import ResourceId, parse_id

if TYPE_CHECKING:
    from tests.fakes.azure.world import Resource, World

Finding = tuple[str, str]


def findings(
    world: World, id: ResourceId, properties: Mapping[str, Any], roles: list[Mapping[str, Any]]
) -> Iterator[Finding]:
    profiles = [role["virtualNetworkProfile"] for role in roles if role.get("virtualNetworkProfile")]
    if not profiles:
        return
    if len(profiles) != len(roles) or any(profile != profiles[0] for profile in profiles):
        yield "InvalidVirtualNetworkId", "All roles of a cluster must be in the same virtual network and subnet."
        return
    vnet = world.find(str(profiles[0].get("id")))
    subnet = _subnet(world, str(profiles[0].get("subnet")))
    if vnet is None or subnet is None or not vnet.is_ready:
        yield "InvalidVirtualNetworkId", f"The virtual network or subnet is invalid: {dict(profiles[0])}."
        return
    inbound = (properties.get("networkProperties") or {}).get("resourceProviderConnection") != "Outbound"
    yield from _guarded(world, subnet, needs_inbound=inbound)
    yield from _first_six(world, id, str(vnet.id))


def _subnet(world: World, text: str) -> Resource | None:
    """The full id, although the schema's text calls it a name [rec]."""
    try:
        return world.find(parse_id(text))
    except ValueError:
        return None


def _guarded(world: World, subnet: Resource, *, needs_inbound: bool) -> Iterator[Finding]:
    nsg = world.find(str((subnet.properties.get("networkSecurityGroup") or {}).get("id")))
    rules = [rule.get("properties") or {} for rule in nsg.properties.get("securityRules") or ()] if nsg else []
    is_open = any(_lets_hdinsight_in(rule) for rule in rules)
    if needs_inbound and not is_open:
        message = (
            "The security rules in the Network Security Group do not allow required inbound traffic: HDInsight:443."
        )
        yield "InvalidNetworkSecurityGroupSecurityRules", message
    way_out = any(subnet.properties.get(key) for key in ("natGateway", "routeTable"))
    if not way_out:
        # Standard load balancers give no default outbound access.
        message = f"Virtual Network configuration is not compatible with HDInsight: '{subnet.id}' has no way out."
        yield "InvalidNetworkConfigurationErrorCode", message


def _lets_hdinsight_in(rule: Mapping[str, Any]) -> bool:
    ports = [rule.get("destinationPortRange"), *(rule.get("destinationPortRanges") or ())]
    sources = [rule.get("sourceAddressPrefix"), *(rule.get("sourceAddressPrefixes") or ())]
    return (
        rule.get("direction") == "Inbound"
        and rule.get("access") == "Allow"
        and any(port in ("443", "*") for port in ports)
        and any(str(source).split(".")[0] == "HDInsight" for source in sources)
    )


def _first_six(world: World, id: ResourceId, vnet: str) -> Iterator[Finding]:
    """Node names hold the first six characters, so they are unique in a VNet."""
    for other in world.of_type("Microsoft.HDInsight/clusters"):
        theirs = (other.properties["computeProfile"]["roles"][0].get("virtualNetworkProfile") or {}).get("id", "")
        if theirs.lower() == vnet.lower() and other.id.name[:6].lower() == id.name[:6].lower():
            message = f"The first six characters of '{id.name}' are those of '{other.id.name}' in the same network."
            yield "BadRequest", message
