"""Groups, lists, networks and vaults."""

from __future__ import annotations

import pytest
from azure.core.exceptions import HttpResponseError, ResourceNotFoundError

from tests.acceptance.azure_fake.bodies import PASSWORD, deployment, whole_stack
from tests.acceptance.azure_fake.conftest import Clients
from tests.fakes.azure import FakeCloud


@pytest.fixture
def deployed(clients: Clients) -> None:
    body = deployment(whole_stack(), gateway=PASSWORD)
    clients.deployments.deployments.begin_create_or_update("rg", "first", body).result()


def test_a_group_is_made_tagged_and_deleted(cloud: FakeCloud, clients: Clients) -> None:
    groups = clients.resources.resource_groups
    with pytest.raises(ResourceNotFoundError):
        groups.get("other")
    assert not groups.check_existence("other")
    groups.create_or_update("other", {"location": "westeurope", "tags": {"a": "b"}})
    assert groups.get("OTHER").tags == {"a": "b"}
    assert [each.name for each in groups.list(filter="tagName eq 'a' and tagValue eq 'b'")] == ["other"]
    groups.begin_delete("other").result()
    assert not groups.check_existence("other")


@pytest.mark.usefixtures("deployed")
def test_everything_goes_with_its_group(cloud: FakeCloud, clients: Clients) -> None:
    clients.resources.resource_groups.begin_delete("rg").result()
    assert cloud.world.resources == {}


@pytest.mark.usefixtures("deployed")
def test_resources_are_listed_by_tag(cloud: FakeCloud, clients: Clients) -> None:
    listed = clients.resources.resources.list_by_resource_group
    by_tag = listed("rg", filter="tagName eq 'team' and tagValue eq 'data'")
    assert [each.name for each in by_tag] == ["ingest"]
    names = {each.name for each in listed("rg")}
    assert names == {"nsg", "ip", "nat", "vnet", "id", "store", "ingest"}, "no subnets, no role assignments"


@pytest.mark.usefixtures("deployed")
def test_a_vnet_shows_its_subnets_and_how_full_they_are(clients: Clients) -> None:
    networks = clients.network.virtual_networks
    (subnet,) = networks.get("rg", "vnet").subnets
    assert subnet.nat_gateway.id.endswith("/nat")
    assert clients.network.subnets.get("rg", "vnet", "ingest").address_prefix == "10.20.1.0/24"
    (usage,) = networks.list_usage("rg", "vnet")
    assert (usage.current_value, usage.limit) == (11, 251), "2 head, 4 workers, 3 ZooKeeper, 2 gateways"


@pytest.mark.usefixtures("deployed")
def test_nothing_goes_that_is_in_use(cloud: FakeCloud, clients: Clients) -> None:
    network = clients.network
    deletions = {
        "InUseSubnetCannotBeDeleted": lambda: network.virtual_networks.begin_delete("rg", "vnet"),
        "InUseNetworkSecurityGroupCannotBeDeleted": lambda: network.network_security_groups.begin_delete("rg", "nsg"),
        "NatGatewayCannotBeDeletedBecauseItIsInUse": lambda: network.nat_gateways.begin_delete("rg", "nat"),
        "PublicIPAddressCannotBeDeleted": lambda: network.public_ip_addresses.begin_delete("rg", "ip"),
    }
    for code, delete in deletions.items():
        with pytest.raises(HttpResponseError) as refused:
            delete().result()
        assert refused.value.error.code == code
    clients.hdinsight.clusters.begin_delete("rg", "ingest").result()
    for delete in deletions.values():
        delete().result()
    assert {each.name for each in clients.resources.resources.list_by_resource_group("rg")} == {"id", "store"}


@pytest.mark.usefixtures("deployed")
def test_a_vnet_that_is_put_without_a_used_subnet_is_refused(clients: Clients) -> None:
    body = {"location": "westeurope", "properties": {"addressSpace": {"addressPrefixes": ["10.20.0.0/16"]}}}
    with pytest.raises(HttpResponseError, match="InUseSubnetCannotBeDeleted"):
        clients.network.virtual_networks.begin_create_or_update("rg", "vnet", body)


def test_peerings_connect_when_both_sides_are_there(cloud: FakeCloud, clients: Clients) -> None:
    space = {"addressSpace": {"addressPrefixes": ["10.20.0.0/16"]}}
    ids = [cloud.id("rg", "Microsoft.Network/virtualNetworks", name) for name in ("west", "north")]
    for id in ids:
        cloud.resource(id, {"location": "westeurope", "properties": space})
    peerings = clients.network.virtual_network_peerings
    states = []
    for name, other in (("west", ids[1]), ("north", ids[0])):
        body = {"properties": {"remoteVirtualNetwork": {"id": other}, "allowVirtualNetworkAccess": True}}
        peerings.begin_create_or_update("rg", name, "to", body).result()
        states.append(peerings.get("rg", name, "to").peering_state)
    assert states == ["Initiated", "Connected"]


def test_any_resource_by_its_id(cloud: FakeCloud, clients: Clients) -> None:
    id = cloud.id("rg", "Microsoft.OperationalInsights/workspaces", "logs")
    resources = clients.resources.resources
    body = {"location": "westeurope", "properties": {"retentionInDays": 30}}
    resources.begin_create_or_update_by_id(id, body, api_version="2023-09-01").result()
    assert resources.get_by_id(id, api_version="2023-09-01").properties["retentionInDays"] == 30
    resources.begin_delete_by_id(id, api_version="2023-09-01").result()
    with pytest.raises(ResourceNotFoundError):
        resources.get_by_id(id, api_version="2023-09-01")


def test_secrets_are_read_after_a_challenge(cloud: FakeCloud, clients: Clients) -> None:
    cloud.secret("kv", "gateway", PASSWORD)
    assert clients.vault("kv").get_secret("gateway").value == PASSWORD
    with pytest.raises(ResourceNotFoundError):
        clients.vault("kv").get_secret("nobody")
    cloud.vaults.denied.add("kv")
    with pytest.raises(HttpResponseError, match="not authorized"):
        clients.vault("kv").get_secret("gateway")
    assert PASSWORD not in cloud.dump()
