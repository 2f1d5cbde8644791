"""What an operator has made before a stack comes: vaults with keys and secrets, routes, an identity of a domain.

The example stacks name them; `hdictl` makes none of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from tests.fakes.azure.cloud import FakeCloud
from tests.fakes.azure.names import TENANT_ID


def vault(cloud: FakeCloud, group: str, name: str, secrets: Mapping[str, str]) -> None:
    """With access policies, and enabled for deployments."""
    properties = {"enabledForTemplateDeployment": True, "enableSoftDelete": True, "enablePurgeProtection": True}
    id = cloud.id(group, "Microsoft.KeyVault/vaults", name)
    cloud.resource(id, {"location": "westeurope", "properties": {**properties, "accessPolicies": []}})
    for key in ("kafka", "spark"):
        cloud.resource(cloud.id(group, "Microsoft.KeyVault/vaults/keys", name, key), {"properties": {}})
    for secret, value in secrets.items():
        cloud.secret(name, secret, value, group=group)


def around_the_platform(cloud: FakeCloud) -> None:
    """What `azure-full.yaml` expects to be there: an identity that joins the domain, and routes to a firewall."""
    routes = cloud.id("rg-platform", "Microsoft.Network/routeTables", "platform-northeurope-routes")
    cloud.resource(routes, {"location": "northeurope", "properties": {"routes": []}})
    domain = cloud.id("rg-shared", "Microsoft.ManagedIdentity/userAssignedIdentities", "hdi-domain")
    cloud.resource(domain, {"location": "westeurope"})


def let_the_platform_into_its_vault(cloud: FakeCloud) -> None:
    """`render` says it of a vault in another group: the identity is made, and let in, before its clusters are."""
    identity = cloud.id("rg-platform", "Microsoft.ManagedIdentity/userAssignedIdentities", "platform-westeurope-id")
    principal = cloud.resource(identity, {"location": "westeurope"}).properties["principalId"]
    vault = cloud.world.find(cloud.id("rg-shared", "Microsoft.KeyVault/vaults", "kv-platform-shared"))
    assert vault is not None
    keys = {"keys": ["get", "wrapKey", "unwrapKey"]}
    vault.properties["accessPolicies"] = [{"tenantId": TENANT_ID, "objectId": principal, "permissions": keys}]
