"""Resources as Azure gets them."""

from __future__ import annotations

from dataclasses import replace

from hdictl.arm.resolved import resolved_resources
from tests.unit.arm.samples import BASE, PLACE, everything, kafka, rendered, small


def test_ids_of_all_resources():
    found = {each["id"] for each in resolved_resources(rendered(small()).group, PLACE)}
    assert f"{BASE}/Microsoft.Network/virtualNetworks/shop-westeurope-vnet" in found
    assert len(found) == len(rendered(small()).group.resources)
    containers = [id for id in found if "/blobServices/default/containers/" in id]
    assert len(containers) == 2
    assert len([id for id in found if "/providers/Microsoft.Authorization/roleAssignments/" in id]) == 1


def test_no_id_is_left_to_work_out():
    assert "[resourceId(" in everything(rendered(small()).group)
    for each in resolved_resources(rendered(small()).group, PLACE):
        assert "resourceId(" not in str(each).replace("dependsOn", "")
        assert all(waited.startswith(f"{BASE}/") for waited in each.get("dependsOn", []))


def test_text_that_a_template_escapes_is_itself_again():
    users = {"ada": {"object_id": "6f1b1c52-3a5e-4f0e-9a52-0d5c6a6d3c11", "upn": "ada@example.com"}}
    group = rendered(kafka(entra_users=users)).group
    assert '"restAuthEntraUsers": "[[{' in everything(group)
    (body,) = [each for each in resolved_resources(group, PLACE) if each["name"] == "ingest-shop"]
    users_text = body["properties"]["clusterDefinition"]["configurations"]["gateway"]["restAuthEntraUsers"]
    assert users_text.startswith('[{"objectId":')


def test_secrets_stay_parameters():
    (body,) = [each for each in resolved_resources(rendered(small()).group, PLACE) if each["name"] == "jobs-shop"]
    gateway = body["properties"]["clusterDefinition"]["configurations"]["gateway"]
    assert gateway["restAuthCredential.password"] == "[parameters('gatewayPassword')]"


def test_a_tenant_that_is_not_known_is_not_made_up():
    """It would differ from the one that a vault on Azure has, in every plan."""
    group = rendered(kafka(encryption={"key": {"keyvault": "kv-keys", "name": "disks", "create": True}})).group
    for place, tenant in ((PLACE, "[subscription().tenantId]"), (replace(PLACE, tenant="a-tenant"), "a-tenant")):
        (vault,) = [each for each in resolved_resources(group, place) if each["type"] == "Microsoft.KeyVault/vaults"]
        assert vault["properties"]["tenantId"] == tenant
