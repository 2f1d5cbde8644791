"""The network of a stack: one VNet a region, and who may come in and go out."""

from __future__ import annotations

from tests.unit.arm.samples import BASE, kafka, names_of, rendered, resolved, security_rules, small, written

VNET = "Microsoft.Network/virtualNetworks"
PEERING = "Microsoft.Network/virtualNetworks/virtualNetworkPeerings"
ENDPOINT = "Microsoft.Network/privateEndpoints"
NORTH = {
    "network": {"northeurope": {"address_space": "10.30.0.0/16", "subnets": {"north": "10.30.1.0/24"}}},
    "clusters": {"north": {"kind": "kafka", "location": "northeurope"}},
}
PRIVATE = {"connection": "outbound", "private_link": True}


def subnet(stack, name="ingest"):
    found = resolved(stack, VNET, "shop-westeurope-vnet")["properties"]["subnets"]
    return next(each["properties"] for each in found if each["name"] == name)


def test_clusters_of_a_region_share_one_vnet_with_a_subnet_each():
    stack = small()
    assert names_of(rendered(stack).group, VNET) == ["shop-westeurope-vnet"]
    assert (subnet(stack)["addressPrefix"], subnet(stack, "jobs")["addressPrefix"]) == ("10.20.1.0/24", "10.20.2.0/24")


def test_every_subnet_has_its_security_group_and_the_nat_gateway():
    ingest = subnet(small())
    assert ingest["networkSecurityGroup"]["id"] == (
        f"{BASE}/Microsoft.Network/networkSecurityGroups/shop-westeurope-ingest-nsg"
    )
    assert ingest["natGateway"]["id"] == f"{BASE}/Microsoft.Network/natGateways/shop-westeurope-nat"
    assert "routeTable" not in ingest


def test_the_nat_gateway_has_a_standard_address():
    address = resolved(small(), "Microsoft.Network/publicIPAddresses", "shop-westeurope-nat-ip")
    assert (address["sku"]["name"], address["properties"]["publicIPAllocationMethod"]) == ("Standard", "Static")


def test_service_endpoints_keep_storage_and_keys_off_the_nat_gateway():
    services = [each["service"] for each in subnet(small())["serviceEndpoints"]]
    assert services == ["Microsoft.KeyVault", "Microsoft.Sql", "Microsoft.Storage"]


def test_a_firewall_takes_the_place_of_the_nat_gateway():
    stack = small(network={"westeurope": {"outbound": "firewall"}})
    group = rendered(stack).group
    assert not names_of(group, "Microsoft.Network/natGateways")
    assert not names_of(group, "Microsoft.Network/publicIPAddresses")
    assert subnet(stack)["routeTable"]["id"] == f"{BASE}/Microsoft.Network/routeTables/shop-westeurope-routes"
    assert "natGateway" not in subnet(stack)
    assert any("shop-westeurope-routes must be" in note for note in rendered(stack).notes)


def test_dns_servers_of_ones_own():
    stack = small(network={"westeurope": {"dns": ["10.20.0.4", "10.20.0.5"]}})
    vnet = resolved(stack, VNET, "shop-westeurope-vnet")["properties"]
    assert vnet["dhcpOptions"] == {"dnsServers": ["10.20.0.4", "10.20.0.5"]}
    assert "dhcpOptions" not in resolved(small(), VNET, "shop-westeurope-vnet")["properties"]


def test_hdinsight_may_reach_clusters_that_it_calls():
    rules = security_rules(small(), "ingest")
    assert set(rules) == {"allow-hdinsight-management", "allow-azure-resolver"}
    management = rules["allow-hdinsight-management"]
    assert (management["sourceAddressPrefix"], management["destinationPortRange"]) == ("HDInsight", "443")
    resolver = rules["allow-azure-resolver"]
    assert (resolver["sourceAddressPrefix"], resolver["destinationPortRanges"]) == ("168.63.129.16", ["53", "443"])


def test_nobody_calls_an_outbound_cluster():
    stack = kafka(network={"connection": "outbound"})
    assert not security_rules(stack, "ingest")
    assert "allow-hdinsight-management" in security_rules(stack, "jobs")


def test_a_subnet_of_two_clusters_serves_both():
    stack = small(clusters={"ingest": {"network": {"connection": "outbound"}}, "jobs": {"subnet": "ingest"}})
    assert "allow-hdinsight-management" in security_rules(stack, "ingest")
    assert not security_rules(stack, "jobs")


def test_admins_reach_gateways_and_ssh():
    rules = security_rules(small(network={"westeurope": {"admins": ["203.0.113.0/24"]}}), "jobs")
    admins = rules["allow-admins"]
    assert (admins["sourceAddressPrefixes"], admins["destinationPortRanges"]) == (
        ["203.0.113.0/24"],
        ["22", "23", "443"],
    )
    assert "allow-admins-rest-proxy" not in rules


def test_the_rest_proxy_has_a_port_of_its_own():
    proxy = {"group": "users", "group_id": "6f1b1c52-3a5e-4f0e-9a52-0d5c6a6d3c11"}
    stack = small(network={"westeurope": {"admins": ["203.0.113.7"]}}, clusters={"ingest": {"rest_proxy": proxy}})
    rules = security_rules(stack, "ingest")
    assert rules["allow-hdinsight-rest-proxy"]["destinationPortRange"] == "9400"
    assert rules["allow-admins-rest-proxy"]["destinationPortRange"] == "9400"
    assert len({rule["priority"] for rule in rules.values()}) == len(rules)


def test_regions_are_peered_both_ways():
    stack = small(**NORTH)
    pairs = {
        name: resolved(stack, PEERING, name)["properties"]["remoteVirtualNetwork"]["id"].rpartition("/")[2]
        for name in names_of(rendered(stack).group, PEERING)
    }
    assert pairs == {
        "shop-northeurope-vnet/to-westeurope": "shop-westeurope-vnet",
        "shop-westeurope-vnet/to-northeurope": "shop-northeurope-vnet",
    }
    waits = written(stack, PEERING, "shop-westeurope-vnet/to-northeurope")["dependsOn"]
    assert {f"[resourceId('{VNET}', 'shop-{region}-vnet')]" for region in ("westeurope", "northeurope")} <= set(waits)


def test_private_link_needs_policies_off_on_its_subnet_alone():
    stack = kafka(network=PRIVATE)
    assert subnet(stack)["privateLinkServiceNetworkPolicies"] == "Disabled"
    assert subnet(stack, "jobs")["privateLinkServiceNetworkPolicies"] == "Enabled"


def test_private_link_has_two_endpoints_and_a_zone():
    stack = kafka(network=PRIVATE)
    for group in ("gateway", "headnode"):
        endpoint = resolved(stack, ENDPOINT, f"ingest-shop-{group}-pe")["properties"]
        (connection,) = endpoint["privateLinkServiceConnections"]
        assert connection["properties"] == {
            "privateLinkServiceId": f"{BASE}/Microsoft.HDInsight/clusters/ingest-shop",
            "groupIds": [group],
        }
        zone = resolved(stack, f"{ENDPOINT}/privateDnsZoneGroups", f"ingest-shop-{group}-pe/default")
        (config,) = zone["properties"]["privateDnsZoneConfigs"]
        assert config["properties"]["privateDnsZoneId"].endswith("/privatelink.azurehdinsight.net")
    link = resolved(
        stack,
        "Microsoft.Network/privateDnsZones/virtualNetworkLinks",
        "privatelink.azurehdinsight.net/shop-westeurope-vnet",
    )
    assert link["properties"]["registrationEnabled"] is False


def test_endpoints_wait_for_a_cluster_that_is_made_and_not_for_one_that_exists():
    stack = kafka(network=PRIVATE)
    awaited = "[resourceId('Microsoft.HDInsight/clusters', 'ingest-shop')]"
    assert awaited in written(stack, ENDPOINT, "ingest-shop-gateway-pe")["dependsOn"]
    again = rendered(stack, without=frozenset({"ingest"})).group
    endpoints = [each for each in again.resources if each["type"] == ENDPOINT]
    assert len(endpoints) == 2
    assert not [each for each in endpoints if awaited in each["dependsOn"]]
