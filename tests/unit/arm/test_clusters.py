"""Everything that a stack says of a cluster, in the body that HDInsight gets."""

from __future__ import annotations

import json

import pytest

from hdictl.errors import UsageError
from tests.unit.arm.samples import BASE, PUBLIC_KEY, cluster, kafka, rendered, role, small, spark

GUID = "6f1b1c52-3a5e-4f0e-9a52-0d5c6a6d3c11"
IDENTITY = f"{BASE}/Microsoft.ManagedIdentity/userAssignedIdentities/shop-westeurope-id"
VAULT = {"keyvault": "kv-keys", "name": "disks"}
DOMAIN = {
    "domain": "example.onmicrosoft.com",
    "directory": f"{BASE}/Microsoft.AAD/domainServices/example.onmicrosoft.com",
    "ldaps": ["ldaps://example.onmicrosoft.com:636"],
    "user": "joiner@example.onmicrosoft.com",
    "password": {"keyvault": "kv-secrets", "name": "joiner"},
    "groups": ["data"],
    "identity": f"{BASE}/Microsoft.ManagedIdentity/userAssignedIdentities/directory",
}


def properties(stack, key="ingest"):
    return cluster(stack, key)["properties"]


@pytest.mark.parametrize(
    ("key", "kind", "component"), [("ingest", "KAFKA", {"Kafka": "3.2"}), ("jobs", "SPARK", {"Spark": "3.3"})]
)
def test_versions_are_those_that_can_be_made(key, kind, component):
    body = properties(small(), key)
    assert (body["clusterVersion"], body["osType"], body["tier"]) == ("5.1", "Linux", "Standard")
    assert (body["clusterDefinition"]["kind"], body["clusterDefinition"]["componentVersion"]) == (kind, component)


def test_workers_and_their_size():
    workers = role(kafka(workers={"count": 7, "size": "Standard_E8_v3"}), "ingest", "workernode")
    assert (workers["targetInstanceCount"], workers["hardwareProfile"]["vmSize"]) == (7, "Standard_E8_v3")


def test_disks_are_a_number_and_nothing_else():
    workers = role(kafka(workers={"disks": 16}), "ingest", "workernode")
    assert workers["dataDisksGroups"] == [{"disksPerNode": 16}]
    assert "dataDisksGroups" not in role(small(), "jobs", "workernode")


@pytest.mark.parametrize(
    ("key", "sizes"),
    [
        ("ingest", {"headnode": (2, "Standard_E4_v3"), "zookeepernode": (3, "Standard_A4_v2")}),
        ("jobs", {"headnode": (2, "Standard_E8_v3"), "zookeepernode": (3, "Standard_A2_v2")}),
    ],
)
def test_roles_are_explicit_also_where_the_stack_says_nothing(key, sizes):
    for name, (count, size) in sizes.items():
        found = role(small(), key, name)
        assert (found["targetInstanceCount"], found["hardwareProfile"]["vmSize"]) == (count, size)


def test_head_and_zookeeper_sizes():
    stack = kafka(head={"size": "Standard_D13_v2"}, zookeeper={"size": "Standard_A8_v2"})
    assert role(stack, "ingest", "headnode")["hardwareProfile"]["vmSize"] == "Standard_D13_v2"
    assert role(stack, "ingest", "zookeepernode")["hardwareProfile"]["vmSize"] == "Standard_A8_v2"


@pytest.mark.parametrize("name", ["headnode", "workernode", "zookeepernode"])
def test_every_node_is_in_the_subnet_by_its_full_id(name):
    network = role(small(), "ingest", name)["virtualNetworkProfile"]
    vnet = f"{BASE}/Microsoft.Network/virtualNetworks/shop-westeurope-vnet"
    assert network == {"id": vnet, "subnet": f"{vnet}/subnets/ingest"}


def test_ssh_by_key():
    login = role(small(), "ingest", "headnode")["osProfile"]["linuxOperatingSystemProfile"]
    assert login == {"username": "sshuser", "sshProfile": {"publicKeys": [{"certificateData": PUBLIC_KEY}]}}
    assert list(rendered(small()).group.template["parameters"]) == ["gatewayPassword"]


def test_ssh_by_password():
    stack = small(secrets={"ssh": {"user": "ada", "public_key_file": None, "password": {"env": "SSH_PASSWORD"}}})
    login = role(stack, "jobs", "workernode")["osProfile"]["linuxOperatingSystemProfile"]
    assert login == {"username": "ada", "password": "[parameters('sshPassword')]"}
    group = rendered(stack).group
    assert group.template["parameters"]["sshPassword"] == {"type": "secureString"}
    assert "sshPassword" not in group.parameters
    assert group.secrets["sshPassword"].env == "SSH_PASSWORD"


def test_gateway_by_user_and_password():
    gateway = properties(kafka(gateway_user="ops"))["clusterDefinition"]["configurations"]["gateway"]
    assert gateway == {
        "restAuthCredential.isEnabled": True,
        "restAuthCredential.username": "ops",
        "restAuthCredential.password": "[parameters('gatewayPassword')]",
    }


def test_gateway_by_entra_users_needs_the_preview_and_no_password():
    users = {"ada": {"object_id": GUID, "upn": "ada@example.com"}}
    stack = small(
        secrets={"gateway": None}, clusters={"ingest": {"entra_users": users}, "jobs": {"entra_users": users}}
    )
    gateway = properties(stack)["clusterDefinition"]["configurations"]["gateway"]
    assert gateway["restAuthCredential.isEnabled"] is False
    assert json.loads(gateway["restAuthEntraUsers"]) == [
        {"objectId": GUID, "displayName": "ada", "upn": "ada@example.com"}
    ]
    assert cluster(stack, "ingest")["apiVersion"] == "2025-01-15-preview"
    assert not rendered(stack).group.template["parameters"]


def test_the_stable_api_unless_a_preview_is_asked_for():
    assert cluster(small(), "ingest")["apiVersion"] == "2021-06-01"
    stack = kafka(network={"dependencies": "external"})
    assert properties(stack)["networkProperties"]["outboundDependenciesManagedType"] == "External"
    assert cluster(stack, "ingest")["apiVersion"] == "2025-01-15-preview"
    assert cluster(stack, "jobs")["apiVersion"] == "2021-06-01"


def test_zone():
    assert cluster(kafka(zone="2"), "ingest")["zones"] == ["2"]
    assert "zones" not in cluster(small(), "ingest")


def test_autoscale_by_load():
    workers = role(spark(autoscale={"min": 3, "max": 10}), "jobs", "workernode")
    assert workers["autoscale"] == {"capacity": {"minInstanceCount": 3, "maxInstanceCount": 10}}
    assert "autoscale" not in role(small(), "jobs", "workernode")


def test_autoscale_by_schedule():
    schedule = {"night": {"days": ["Monday", "Friday"], "at": "22:30", "workers": 4}}
    autoscale = {"min": 3, "max": 10, "timezone": "W. Europe Standard Time", "schedule": schedule}
    workers = role(spark(autoscale=autoscale), "jobs", "workernode")
    assert workers["autoscale"] == {
        "recurrence": {
            "timeZone": "W. Europe Standard Time",
            "schedule": [
                {
                    "days": ["Monday", "Friday"],
                    "timeAndCapacity": {"time": "22:30", "minInstanceCount": 4, "maxInstanceCount": 4},
                }
            ],
        }
    }


def test_key_of_ones_own_in_the_version_that_is_named():
    disks = properties(kafka(encryption={"key": {**VAULT, "version": "abc123"}}))["diskEncryptionProperties"]
    assert disks == {
        "vaultUri": "https://kv-keys.vault.azure.net",
        "keyName": "disks",
        "keyVersion": "abc123",
        "encryptionAlgorithm": "RSA-OAEP",
        "encryptionAtHost": False,
        "msiResourceId": IDENTITY,
    }


def test_key_of_ones_own_in_its_newest_version():
    disks = properties(kafka(encryption={"key": VAULT}))["diskEncryptionProperties"]
    key = f"{BASE}/Microsoft.KeyVault/vaults/kv-keys/keys/disks"
    assert disks["keyVersion"] == f"[last(split(reference('{key}', '2023-07-01').keyUriWithVersion, '/'))]"


def test_key_in_another_group():
    disks = properties(kafka(encryption={"key": {**VAULT, "resource_group": "rg-keys"}}))["diskEncryptionProperties"]
    assert "/resourceGroups/rg-keys/providers/Microsoft.KeyVault/vaults/kv-keys/keys/disks" in disks["keyVersion"]


def test_encryption_at_host():
    assert properties(kafka(encryption={"at_host": True}))["diskEncryptionProperties"] == {"encryptionAtHost": True}
    both = properties(kafka(encryption={"at_host": True, "key": VAULT}))["diskEncryptionProperties"]
    assert (both["encryptionAtHost"], both["keyName"]) == (True, "disks")
    assert "diskEncryptionProperties" not in properties(small())


def test_encryption_in_transit():
    body = properties(kafka(encryption={"in_transit": True}))
    assert body["encryptionInTransitProperties"] == {"isEncryptionInTransitEnabled": True}
    assert "encryptionInTransitProperties" not in properties(small())


def test_connection():
    assert properties(small())["networkProperties"] == {
        "resourceProviderConnection": "Inbound",
        "privateLink": "Disabled",
    }
    body = properties(kafka(network={"connection": "outbound"}))
    assert body["networkProperties"]["resourceProviderConnection"] == "Outbound"
    assert "privateLinkConfigurations" not in body


def test_private_link():
    body = properties(kafka(network={"connection": "outbound", "private_link": True}))
    assert body["networkProperties"]["privateLink"] == "Enabled"
    groups = [each["properties"]["groupId"] for each in body["privateLinkConfigurations"]]
    assert groups == ["gateway", "headnode"]
    (address,) = body["privateLinkConfigurations"][0]["properties"]["ipConfigurations"]
    assert address["properties"]["subnet"]["id"].endswith("/virtualNetworks/shop-westeurope-vnet/subnets/ingest")


def test_tls():
    assert properties(small())["minSupportedTlsVersion"] == "1.2"


def test_enterprise_security():
    stack = kafka(security={**DOMAIN, "organizational_unit": "OU=hdi,DC=example"})
    body = properties(stack)
    assert body["tier"] == "Premium"
    assert body["securityProfile"] == {
        "directoryType": "ActiveDirectory",
        "domain": "example.onmicrosoft.com",
        "organizationalUnitDN": "OU=hdi,DC=example",
        "ldapsUrls": DOMAIN["ldaps"],
        "domainUsername": DOMAIN["user"],
        "domainUserPassword": "[parameters('ingestDomainPassword')]",
        "clusterUsersGroupDNs": ["data"],
        "aaddsResourceId": DOMAIN["directory"],
        "msiResourceId": DOMAIN["identity"],
    }
    assert set(cluster(stack, "ingest")["identity"]["userAssignedIdentities"]) == {IDENTITY, DOMAIN["identity"]}
    reference = rendered(stack).group.parameters["ingestDomainPassword"]["reference"]
    assert reference["secretName"] == "joiner"
    assert "securityProfile" not in properties(stack, "jobs")
    assert properties(stack, "jobs")["tier"] == "Standard"


def test_rest_proxy_has_its_own_nodes():
    stack = kafka(rest_proxy={"group": "kafka-users", "group_id": GUID, "size": "Standard_D4_v2"})
    nodes = role(stack, "ingest", "kafkamanagementnode")
    assert (nodes["targetInstanceCount"], nodes["hardwareProfile"]["vmSize"]) == (2, "Standard_D4_v2")
    assert properties(stack)["kafkaRestProperties"] == {
        "clientGroupInfo": {"groupName": "kafka-users", "groupId": GUID}
    }
    assert len(properties(small())["computeProfile"]["roles"]) == 3
    outputs = rendered(stack).group.template["outputs"]["clusters"]["value"]
    assert outputs["ingest"]["restProxy"] == "https://ingest-shop-kafkarest.azurehdinsight.net"
    assert "restProxy" not in outputs["jobs"]


def test_scripts_go_to_the_nodes_that_they_are_for_in_their_order():
    scripts = {
        "second-name": {"uri": "https://example.com/b.sh", "on": ["worker"]},
        "a-name": {"uri": "https://example.com/a.sh", "parameters": "-x", "on": ["worker", "zookeeper"]},
    }
    stack = kafka(scripts=scripts)
    assert [each["name"] for each in role(stack, "ingest", "workernode")["scriptActions"]] == ["second-name", "a-name"]
    assert role(stack, "ingest", "zookeepernode")["scriptActions"] == [
        {"name": "a-name", "uri": "https://example.com/a.sh", "parameters": "-x"}
    ]
    assert "scriptActions" not in role(stack, "ingest", "headnode")


def test_tags():
    assert cluster(kafka(tags={"team": "events", "tier": "gold"}), "ingest")["tags"] == {
        "hdictl-stack": "shop",
        "team": "events",
        "tier": "gold",
    }


def test_storage_is_a_file_system_of_its_own_by_the_identity():
    (storage,) = properties(small())["storageProfile"]["storageaccounts"]
    account = storage["name"].partition(".")[0]
    assert storage == {
        "name": f"{account}.dfs.core.windows.net",
        "isDefault": True,
        "fileSystem": "ingest-shop",
        "resourceId": f"{BASE}/Microsoft.Storage/storageAccounts/{account}",
        "msiResourceId": IDENTITY,
    }


@pytest.mark.parametrize(
    ("stack", "where"),
    [
        (small(azure=None), "azure"),
        (small(secrets={"gateway": None}), "secrets.gateway"),
        (small(secrets={"ssh": None}), "secrets.ssh"),
        (small(clusters={"ingest": {"location": "northeurope"}}), "network.northeurope"),
        (small(clusters={"ingest": {"subnet": "nosuch"}}), "network.westeurope"),
    ],
)
def test_what_is_missing_is_said(stack, where):
    with pytest.raises(UsageError) as raised:
        rendered(stack)
    assert raised.value.where == where
    assert raised.value.fix
