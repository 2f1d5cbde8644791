"""Who is not signed in, or may not, is told in one line what to do."""

import pytest

from hdictl.drivers.azure.credential import not_signed_in, token_refused
from hdictl.drivers.azure.permission import permission_missing, role_for
from hdictl.errors import CloudUnreachable, NotSignedIn
from hdictl.plan.cloud import CloudError

_CHAIN = (
    "DefaultAzureCredential failed to retrieve a token from the included credentials.\nAttempted credentials:\n"
    "\tEnvironmentCredential: EnvironmentCredential authentication unavailable. Environment variables are not fully "
    "configured.\n\tAzureCliCredential: Azure CLI not found on path\nTo mitigate this issue, please refer to …"
)


def test_nobody_is_signed_in():
    error = not_signed_in(_CHAIN, "resource group `rg`", environment={})

    assert error.what == "nobody is signed in to Azure on this machine"
    assert error.where == "resource group `rg`"
    assert "az login" in (error.fix or "")
    assert "Attempted" not in str(error)


def test_a_number_of_entra_is_explained():
    error = not_signed_in(f"{_CHAIN} AADSTS7000215: Invalid client secret provided.", "x", environment={})

    assert error.what == "Entra ID refused the sign-in: the client secret is wrong (AADSTS7000215)"
    assert "AZURE_CLIENT_SECRET" in (error.fix or "")


def test_an_unknown_number_of_entra_brings_its_own_sentence():
    error = not_signed_in("AADSTS99999: The moon is full. Trace ID: 1", "x", environment={})

    assert error.what == "Entra ID refused the sign-in: The moon is full (AADSTS99999)"


def test_no_network_is_not_a_missing_sign_in():
    text = (
        f"{_CHAIN}\n\tAzureCliCredential: HTTPSConnectionPool(host='login.microsoftonline.com'): Max retries exceeded"
    )
    error = not_signed_in(text, "x", environment={})

    assert isinstance(error, CloudUnreachable)
    assert "HTTPS_PROXY" in (error.fix or "")


def test_no_managed_identity_is_not_a_missing_network():
    text = f"{_CHAIN}\n\tManagedIdentityCredential: Max retries exceeded with url: /metadata/identity"

    assert isinstance(not_signed_in(text, "x", environment={}), NotSignedIn)


def test_an_application_that_does_not_work_is_named():
    error = not_signed_in(_CHAIN, "x", environment={"AZURE_CLIENT_ID": "…"})

    assert "AZURE_CLIENT_ID" in error.what


def test_a_token_of_another_tenant():
    assert "another tenant" in token_refused("InvalidAuthenticationTokenTenant", "x").what
    assert "az login" in (token_refused("ExpiredAuthenticationToken", "x").fix or "")


def test_a_missing_permission_names_action_scope_and_role():
    scope = "/subscriptions/s/resourceGroups/rg-clickstream/providers/Microsoft.HDInsight/clusters/ingest"
    message = (
        "The client 'ada@example.com' with object id '1' does not have authorization to perform action "
        f"'Microsoft.HDInsight/clusters/read' over scope '{scope}' or the scope is invalid."
    )
    error = permission_missing(CloudError("AuthorizationFailed", message), "cluster `ingest`")

    assert error.what == f"this sign-in lacks the permission Microsoft.HDInsight/clusters/read on {scope}"
    assert "`Reader` on resource group rg-clickstream" in (error.fix or "")


def test_a_refusal_without_an_action_keeps_its_words():
    error = permission_missing(CloudError("Forbidden", "Caller is not authorized. Vault: kv"), "Key Vault `kv`")

    assert "Caller is not authorized. Vault: kv" in error.what


def test_a_vault_names_its_action_in_its_own_way():
    message = (
        "Caller is not authorized to perform action on resource.\r\nCaller: appid=1\r\n"
        "Action: 'Microsoft.KeyVault/vaults/secrets/getSecret/action'\r\n"
        "Resource: '/subscriptions/s/resourcegroups/rg-vaults/providers/microsoft.keyvault/vaults/kv/secrets/gateway'"
    )
    error = permission_missing(CloudError("Forbidden", message), "Key Vault `kv`")

    assert "`Key Vault Secrets User` on resource group rg-vaults" in (error.fix or "")


def test_a_firewall_is_not_a_missing_role():
    message = "Client address is not authorized and caller is not a trusted service. Vault: kv"
    error = permission_missing(CloudError("Forbidden", message), "Key Vault `kv`")

    assert "firewall" in (error.fix or "")


@pytest.mark.parametrize(
    ("action", "role"),
    [
        ("Microsoft.Authorization/roleAssignments/write", "Role Based Access Control Administrator"),
        ("Microsoft.Network/virtualNetworks/read", "Reader"),
        ("Microsoft.Network/virtualNetworks/write", "Contributor"),
        ("Microsoft.OperationalInsights/workspaces/sharedKeys/action", "Log Analytics Contributor"),
        ("Microsoft.KeyVault/vaults/secrets/getSecret/action", "Key Vault Secrets User"),
        ("Microsoft.Resources/deployments/whatIf/action", "Contributor"),
        ("Microsoft.HDInsight/clusters/read", "Reader"),
        ("Microsoft.HDInsight/clusters/updateGatewaySettings/action", "HDInsight Cluster Operator"),
        ("Microsoft.HDInsight/clusters/roles/resize/action", "HDInsight Cluster Admin"),
        ("Microsoft.HDInsight/clusters/executeScriptActions/action", "HDInsight Cluster Admin"),
        ("Microsoft.HDInsight/clusters/write", "HDInsight Cluster Admin"),
    ],
)
def test_the_role_to_ask_for(action: str, role: str):
    assert role_for(action) == role
