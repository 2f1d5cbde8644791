"""What clusters stand on: storage, the identity that owns it, and vaults with keys."""

from __future__ import annotations

import uuid

import pytest

from hdictl.errors import UsageError
from tests.unit.arm.samples import BASE, kafka, names_of, rendered, resolved, small, written

ACCOUNT = "Microsoft.Storage/storageAccounts"
CONTAINER = f"{ACCOUNT}/blobServices/containers"
ROLE = "Microsoft.Authorization/roleAssignments"
VAULT = "Microsoft.KeyVault/vaults"
CLUSTER = "Microsoft.HDInsight/clusters"
KEY = {"keyvault": "kv-keys", "name": "disks"}


def account(stack):
    (name,) = names_of(rendered(stack).group, ACCOUNT)
    return resolved(stack, ACCOUNT, name)


def policies(resource):
    (policy,) = resource["properties"]["accessPolicies"]
    return policy["permissions"], policy["objectId"]


def test_the_account_is_a_data_lake_without_shared_keys():
    body = account(small())
    assert (body["kind"], body["sku"]["name"]) == ("StorageV2", "Standard_ZRS")
    closed = {"isHnsEnabled": True, "allowSharedKeyAccess": False, "allowBlobPublicAccess": False}
    assert closed.items() <= body["properties"].items()
    assert {"minimumTlsVersion": "TLS1_2", "supportsHttpsTrafficOnly": True}.items() <= body["properties"].items()


def test_its_name_and_redundancy_can_be_chosen():
    body = account(small(storage={"westeurope": {"account": "shoplake", "replication": "GZRS"}}))
    assert (body["name"], body["sku"]["name"]) == ("shoplake", "Standard_GZRS")


def test_a_file_system_for_each_cluster():
    name = account(small())["name"]
    assert names_of(rendered(small()).group, CONTAINER) == [f"{name}/default/ingest-shop", f"{name}/default/jobs-shop"]


def test_the_identity_owns_the_account():
    (name,) = names_of(rendered(small()).group, ROLE)
    role = resolved(small(), ROLE, name)
    assert str(uuid.UUID(name)) == name
    assert role["scope"] == account(small())["id"]
    assert role["id"] == f"{account(small())['id']}/providers/{ROLE}/{name}"
    assert role["properties"]["roleDefinitionId"].endswith("/b7e6dc6d-f1e8-4753-8033-0f276bb0955b")
    assert role["properties"]["principalType"] == "ServicePrincipal"
    identity = f"{BASE}/Microsoft.ManagedIdentity/userAssignedIdentities/shop-westeurope-id"
    assert role["properties"]["principalId"] == f"[reference('{identity}', '2023-01-31').principalId]"


def test_a_cluster_waits_for_its_storage_role_network_and_key():
    stack = kafka(encryption={"key": {**KEY, "create": True}})
    name = account(stack)["name"]
    (role,) = names_of(rendered(stack).group, ROLE)
    storage = f"resourceId('{ACCOUNT}', '{name}')"
    assert written(stack, CLUSTER, "ingest-shop")["dependsOn"] == [
        f"[extensionResourceId({storage}, '{ROLE}', '{role}')]",
        f"[resourceId('{VAULT}', 'kv-keys')]",
        f"[resourceId('{VAULT}/keys', 'kv-keys', 'disks')]",
        "[resourceId('Microsoft.ManagedIdentity/userAssignedIdentities', 'shop-westeurope-id')]",
        "[resourceId('Microsoft.Network/virtualNetworks', 'shop-westeurope-vnet')]",
        f"[{storage}]",
        f"[resourceId('{CONTAINER}', '{name}', 'default', 'ingest-shop')]",
    ]
    assert not [each for each in written(stack, CLUSTER, "jobs-shop")["dependsOn"] if "KeyVault" in each]


def test_a_vault_of_the_stack():
    stack = kafka(encryption={"key": {**KEY, "create": True}})
    vault = resolved(stack, VAULT, "kv-keys")
    safe = {"enableSoftDelete": True, "enablePurgeProtection": True, "enabledForTemplateDeployment": True}
    assert safe.items() <= vault["properties"].items()
    permissions, who = policies(vault)
    assert permissions == {"keys": ["get", "wrapKey", "unwrapKey"], "secrets": ["get", "set", "delete"]}
    assert who.endswith("/shop-westeurope-id', '2023-01-31').principalId]")
    key = resolved(stack, f"{VAULT}/keys", "kv-keys/disks")
    assert (key["properties"]["kty"], key["properties"]["keySize"]) == ("RSA", 2048)


def test_a_vault_that_is_there_gets_a_policy_and_nothing_else():
    stack = kafka(encryption={"key": KEY})
    group = rendered(stack).group
    assert not names_of(group, VAULT)
    assert policies(resolved(stack, f"{VAULT}/accessPolicies", "kv-keys/add"))[0]["keys"] == [
        "get",
        "wrapKey",
        "unwrapKey",
    ]
    awaited = f"[resourceId('{VAULT}/accessPolicies', 'kv-keys', 'add')]"
    assert awaited in written(stack, CLUSTER, "ingest-shop")["dependsOn"]


def test_a_vault_of_another_group_is_left_alone_and_a_note_says_what_to_do():
    made = rendered(kafka(encryption={"key": {**KEY, "resource_group": "rg-keys"}}))
    assert not [each for each in made.group.resources if "KeyVault" in each["type"]]
    assert any("kv-keys is in rg-keys: give the identity shop-westeurope-id" in note for note in made.notes)
    assert any("az identity create -g rg-shop -l westeurope -n shop-westeurope-id" in note for note in made.notes)


def test_the_stacks_own_group_may_be_spelled_in_any_case():
    group = rendered(kafka(encryption={"key": {**KEY, "resource_group": "RG-Shop"}})).group
    assert names_of(group, f"{VAULT}/accessPolicies") == ["kv-keys/add"]


def test_a_vault_cannot_be_made_elsewhere():
    stack = kafka(encryption={"key": {**KEY, "create": True, "resource_group": "rg-keys"}})
    with pytest.raises(UsageError, match="in its own group only"):
        rendered(stack)


def test_clusters_of_two_regions_share_a_vault():
    north = {"kind": "kafka", "location": "northeurope", "encryption": {"key": KEY}}
    network = {"northeurope": {"address_space": "10.30.0.0/16", "subnets": {"north": "10.30.1.0/24"}}}
    stack = small(network=network, clusters={"ingest": {"encryption": {"key": KEY}}, "north": north})
    access = resolved(stack, f"{VAULT}/accessPolicies", "kv-keys/add")["properties"]["accessPolicies"]
    assert [each["objectId"].split("/")[-1].partition("'")[0] for each in access] == [
        "shop-northeurope-id",
        "shop-westeurope-id",
    ]
