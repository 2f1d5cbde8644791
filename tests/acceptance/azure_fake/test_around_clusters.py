"""Script actions, monitoring, and what a region offers."""

from __future__ import annotations

import pytest
from azure.core.exceptions import HttpResponseError
from azure.core.rest import HttpRequest

from tests.acceptance.azure_fake.bodies import PASSWORD, cluster
from tests.acceptance.azure_fake.conftest import Clients
from tests.fakes.azure import FakeCloud
from tests.fakes.azure.secrets import digest

AGENT = "2024-08-01-preview"


@pytest.fixture
def ingest(clients: Clients) -> None:
    clients.hdinsight.clusters.begin_create("rg", "ingest", cluster()).result()


@pytest.mark.usefixtures("ingest")
def test_a_script_runs_and_is_in_the_history(cloud: FakeCloud, clients: Clients) -> None:
    script = {"name": "tune", "uri": "https://example.com/tune.sh", "roles": ["workernode"], "parameters": ""}
    body = {"scriptActions": [script], "persistOnSuccess": True}
    clients.hdinsight.clusters.begin_execute_script_actions("rg", "ingest", body).result()
    (run,) = clients.hdinsight.script_execution_history.list_by_cluster("rg", "ingest")
    assert (run.name, run.status) == ("tune", "Succeeded")
    detail = clients.hdinsight.script_actions.get_execution_detail("rg", "ingest", str(run.script_execution_id))
    assert detail.debug_information.count("tune ran") == 4
    assert [each.name for each in clients.hdinsight.script_actions.list_by_cluster("rg", "ingest")] == ["tune"]
    cloud.break_script("https://example.com/tune.sh", "tune.sh: line 3: apt: not found")
    failing = {"scriptActions": [{**script, "name": "again"}], "persistOnSuccess": True}
    with pytest.raises(HttpResponseError, match="CustomizationFailedErrorCode"):
        clients.hdinsight.clusters.begin_execute_script_actions("rg", "ingest", failing).result()
    newest = next(iter(clients.hdinsight.script_execution_history.list_by_cluster("rg", "ingest")))
    assert (newest.name, newest.status) == ("again", "Failed")
    assert len(list(clients.hdinsight.script_actions.list_by_cluster("rg", "ingest"))) == 1


@pytest.mark.usefixtures("ingest")
def test_the_agent_is_switched_on_and_off(cloud: FakeCloud, clients: Clients) -> None:
    id = cloud.id("rg", "Microsoft.OperationalInsights/workspaces", "logs")
    customer = cloud.resource(id).properties["customerId"]
    answer = clients.resources.send_request(HttpRequest("POST", f"{id}/sharedKeys?api-version=2023-09-01"))
    key = answer.json()["primarySharedKey"]
    extensions = clients.hdinsight.extensions
    name = "azureMonitorAgent"
    with pytest.raises(HttpResponseError, match=AGENT):
        extensions.begin_create("rg", "ingest", name, {"workspaceId": customer, "primaryKey": key})
    on = {"workspaceId": customer, "primaryKey": key}
    extensions.begin_create("rg", "ingest", name, on, api_version=AGENT).result()
    status = extensions.get("rg", "ingest", name, api_version=AGENT)
    assert (status.cluster_monitoring_enabled, status.workspace_id) == (True, customer)
    assert cloud.saw_secret("ingest/azuremonitoragent") == digest(key)
    assert key not in cloud.dump()
    extensions.begin_delete("rg", "ingest", name, api_version=AGENT).result()
    assert not extensions.get("rg", "ingest", name, api_version=AGENT).cluster_monitoring_enabled


def test_what_a_region_offers(cloud: FakeCloud, clients: Clients) -> None:
    locations = clients.hdinsight.locations
    cloud.take_name("taken")
    asked = {"name": "taken", "type": "clusters"}
    assert locations.check_name_availability("westeurope", asked).reason == "AlreadyExists"
    assert locations.check_name_availability("westeurope", {**asked, "name": "free"}).name_available
    versions = locations.get_capabilities("westeurope").versions["iaas"].available
    assert "5.1" in [version.friendly_name for version in versions]
    assert "Standard_E4_v3" in locations.list_billing_specs("westeurope").vm_sizes


def test_a_cluster_can_be_validated_before_it_is_made(cloud: FakeCloud, clients: Clients) -> None:
    validate = clients.hdinsight.locations.validate_cluster_create_request
    asked = {**cluster(), "name": "ingest", "type": "Microsoft.HDInsight/clusters"}
    assert validate("westeurope", asked).validation_errors == []
    asked["properties"]["computeProfile"]["roles"][1]["hardwareProfile"]["vmSize"] = "Standard_Z9"
    (error,) = validate("westeurope", asked).validation_errors
    assert error.code == "InvalidDocumentErrorCode"
    assert cloud.created() == []
    assert PASSWORD not in cloud.dump()


def test_a_key_needs_a_vault_that_lets_the_identity_in(cloud: FakeCloud, clients: Clients) -> None:
    identity = cloud.id("rg", "Microsoft.ManagedIdentity/userAssignedIdentities", "id")
    principal = cloud.resource(identity, {"location": "westeurope"}).properties["principalId"]
    vault = cloud.id("rg", "Microsoft.KeyVault/vaults", "kv")
    kept = cloud.resource(vault, {"location": "westeurope", "properties": {"enableSoftDelete": True}})
    body = {**cluster(), "identity": {"type": "UserAssigned", "userAssignedIdentities": {identity: {}}}}
    body["properties"]["diskEncryptionProperties"] = {
        "vaultUri": "https://kv.vault.azure.net",
        "keyName": "kafka",
        "keyVersion": "1",
        "encryptionAlgorithm": "RSA-OAEP",
        "msiResourceId": identity,
    }
    with pytest.raises(HttpResponseError, match="may not get, wrap and unwrap keys"):
        clients.hdinsight.clusters.begin_create("rg", "ingest", body)
    keys = {"keys": ["get", "wrapKey", "unwrapKey"]}
    kept.properties["accessPolicies"] = [{"objectId": principal, "permissions": keys}]
    clients.hdinsight.clusters.begin_create("rg", "ingest", body).result()
    rotated = {"vaultUri": "https://kv.vault.azure.net", "keyName": "kafka", "keyVersion": "2"}
    clients.hdinsight.clusters.begin_rotate_disk_encryption_key("rg", "ingest", rotated).result()
    found = clients.hdinsight.clusters.get("rg", "ingest").properties.disk_encryption_properties
    assert found.key_version == "2"
