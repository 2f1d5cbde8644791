"""Templates are worked out, ordered, carried out and reported as ARM does it."""

from __future__ import annotations

from typing import Any

import pytest
from azure.core.exceptions import HttpResponseError, ResourceExistsError

from tests.acceptance.azure_fake.bodies import (
    IDENTITY,
    PASSWORD,
    deployment,
    id_of,
    resource,
    role_assignment,
    template,
    whole_stack,
)
from tests.acceptance.azure_fake.conftest import Clients
from tests.fakes.azure import FakeCloud
from tests.fakes.azure.secrets import digest


def deploy(clients: Clients, body: dict[str, Any], name: str = "first") -> Any:
    return clients.deployments.deployments.begin_create_or_update("rg", name, body).result()


def changed(template: dict[str, Any], which: str, **changes: Any) -> dict[str, Any]:
    """The same template with one resource changed."""
    resources = [{**each, **changes} if each["name"] == which else each for each in template["resources"]]
    return {**template, "resources": resources}


def test_a_whole_stack_is_deployed_in_order(cloud: FakeCloud, clients: Clients) -> None:
    done = deploy(clients, deployment(whole_stack(), gateway=PASSWORD))
    assert done.properties.provisioning_state == "Succeeded"
    assert len(done.properties.outputs["principal"]["value"]) == 36
    assert done.properties.parameters["gateway"] == {"type": "SecureString"}
    assert cloud.created()[-1].endswith("/clusters/ingest")
    assert cloud.saw_secret("gateway") == cloud.saw_secret("ingest") == digest(PASSWORD)
    assert PASSWORD not in cloud.dump()
    operations = list(clients.deployments.deployment_operations.list("rg", "first"))
    assert {each.properties.provisioning_state for each in operations} == {"Succeeded"}
    assert len(operations) == 8


def test_progress_can_be_watched(cloud: FakeCloud, clients: Clients) -> None:
    cloud.world.clock.pace = 0
    start = clients.deployments.deployments.begin_create_or_update
    started = start("rg", "first", deployment(whole_stack(), gateway=PASSWORD), polling=False).result()
    assert started.properties.provisioning_state == "Accepted"
    seen = set()
    while clients.deployments.deployments.get("rg", "first").properties.provisioning_state != "Succeeded":
        for each in clients.deployments.deployment_operations.list("rg", "first"):
            seen.add((each.properties.target_resource.resource_name, each.properties.provisioning_state))
    assert ("ingest", "Running") in seen
    assert ("vnet", "Succeeded") in seen


def test_one_name_runs_once_at_a_time(cloud: FakeCloud, clients: Clients) -> None:
    cloud.freeze()
    start = clients.deployments.deployments.begin_create_or_update
    start("rg", "first", deployment(whole_stack(), gateway=PASSWORD), polling=False)
    with pytest.raises(ResourceExistsError) as refused:
        start("rg", "first", deployment(whole_stack(), gateway=PASSWORD), polling=False)
    assert refused.value.error.code == "DeploymentActive"


def test_a_cancelled_deployment_starts_nothing_more(cloud: FakeCloud, clients: Clients) -> None:
    cloud.world.clock.pace = 0
    start = clients.deployments.deployments.begin_create_or_update
    start("rg", "first", deployment(whole_stack(), gateway=PASSWORD), polling=False)
    clients.deployments.deployments.cancel("rg", "first")
    for _ in range(5):
        state = clients.deployments.deployments.get("rg", "first").properties.provisioning_state
    assert state == "Canceled"
    assert not cloud.created("Microsoft.HDInsight/clusters")


def test_errors_are_wrapped_three_deep(cloud: FakeCloud, clients: Clients) -> None:
    cloud.break_cluster("ingest", "AmbariClusterCreationFailedErrorCode", "Ambari did not come up.")
    with pytest.raises(HttpResponseError, match="DeploymentFailed"):
        deploy(clients, deployment(whole_stack(), gateway=PASSWORD))
    error = clients.deployments.deployments.get("rg", "first").properties.error
    assert error.code == "DeploymentFailed"
    assert error.details[0].code == "ResourceDeploymentFailure"
    assert error.details[0].details[0].code == "AmbariClusterCreationFailedErrorCode"


@pytest.mark.parametrize(
    ("needs", "code"),
    [
        ([id_of(IDENTITY, "id")], "InvalidVirtualNetworkId"),
        (
            [id_of(IDENTITY, "id"), id_of("Microsoft.Network/virtualNetworks", "vnet")],
            "StoragePermissionsBlockedForMsi",
        ),
    ],
)
def test_what_is_missing_in_depends_on_fails(cloud: FakeCloud, clients: Clients, needs: list[str], code: str) -> None:
    """Everything that may start starts at once, so that a dependency that was forgotten is not there."""
    with pytest.raises(HttpResponseError):
        deploy(clients, deployment(changed(whole_stack(), "ingest", dependsOn=needs), gateway=PASSWORD))
    error = clients.deployments.deployments.get("rg", "first").properties.error
    assert f'"code": "{code}"' in error.details[0].message
    assert "does not depend on it" in cloud.violations[0], "also where it went well by chance"
    cloud.violations.clear()


def test_a_fresh_identity_needs_its_principal_type(clients: Clients) -> None:
    broken = changed(whole_stack(), role_assignment()["name"], **role_assignment(principalType=None))
    with pytest.raises(HttpResponseError):
        deploy(clients, deployment(broken, gateway=PASSWORD))
    error = clients.deployments.deployments.get("rg", "first").properties.error
    assert "PrincipalNotFound" in error.details[0].message


def test_a_resource_may_fail_once(cloud: FakeCloud, clients: Clients) -> None:
    cloud.break_resource("*/roleAssignments/*", "PrincipalNotFound", "Principal does not exist in the directory.")
    with pytest.raises(HttpResponseError):
        deploy(clients, deployment(whole_stack(), gateway=PASSWORD))
    assert not cloud.created("Microsoft.HDInsight/clusters")
    again = deploy(clients, deployment(whole_stack(), gateway=PASSWORD))
    assert again.properties.provisioning_state == "Succeeded"
    assert cloud.duplicates() == [], "a role assignment that failed was never made"


@pytest.mark.parametrize(
    ("broken", "parameters", "said"),
    [
        (whole_stack(), {}, "'gateway' is not provided"),
        (whole_stack(), {"gateway": PASSWORD, "other": 1}, "'other' in the parameters file are not valid"),
        (changed(whole_stack(), "vnet", dependsOn=["nobody"]), {"gateway": PASSWORD}, "'nobody' is not defined"),
        (template(resource("A.B/c", "[parameters('x')]", "1")), {}, "not declared"),
        (template(resource("A.B/c", "n", "1", dependsOn=["n"])), {}, "Circular"),
        (template(resource("A.B/c/d", "n", "1")), {}, "segment lengths"),
        (template(resource("A.B/c", "n", "1"), resource("A.B/c", "N", "1")), {}, "multiple times"),
    ],
)
def test_what_a_template_may_not_say(
    clients: Clients, broken: dict[str, Any], parameters: dict[str, Any], said: str
) -> None:
    with pytest.raises(HttpResponseError, match=said) as refused:
        deploy(clients, deployment(broken, **parameters))
    assert refused.value.error.code == "InvalidTemplate"
    with pytest.raises(HttpResponseError, match=said):
        clients.deployments.deployments.begin_validate("rg", "first", deployment(broken, **parameters))


def test_key_vault_holds_the_password(cloud: FakeCloud, clients: Clients) -> None:
    vault = cloud.secret("kv", "gateway", PASSWORD)
    reference = {"reference": {"keyVault": {"id": vault}, "secretName": "gateway"}}
    deploy(clients, deployment(whole_stack(), gateway=reference))
    assert cloud.saw_secret("ingest") == digest(PASSWORD)
    missing = {"reference": {"keyVault": {"id": vault}, "secretName": "nobody"}}
    with pytest.raises(HttpResponseError, match="KeyVaultParameterReferenceSecretRetrieveFailed"):
        deploy(clients, deployment(whole_stack(), gateway=missing))
    assert PASSWORD not in cloud.dump()


def test_what_if_tells_without_doing(cloud: FakeCloud, clients: Clients) -> None:
    body = deployment(whole_stack(), gateway=PASSWORD)
    preview = clients.deployments.deployments.begin_what_if
    validated = clients.deployments.deployments.begin_validate("rg", "first", body).result()
    assert len(validated.properties.validated_resources) == 8
    assert {each.change_type for each in preview("rg", "first", body).result().changes} == {"Create"}
    assert cloud.created() == []
    deploy(clients, body)
    after = {each.resource_id.rpartition("/")[2]: each for each in preview("rg", "first", body).result().changes}
    assert after["nsg"].change_type == "NoChange"
    assert after["ingest"].change_type == "Modify", "what-if is noisy about clusters"
    assert PASSWORD not in cloud.dump()


def test_a_cluster_that_is_put_again_is_a_duplicate(cloud: FakeCloud, clients: Clients) -> None:
    deploy(clients, deployment(whole_stack(), gateway=PASSWORD))
    assert cloud.duplicates() == []
    deploy(clients, deployment(whole_stack(), gateway=PASSWORD), "second")
    assert [id.rpartition("/")[2] for id in cloud.duplicates()] == ["ingest"]


def test_a_secret_in_the_wrong_place_is_noticed(cloud: FakeCloud, clients: Clients) -> None:
    leaking = changed(whole_stack(), "nsg", tags={"note": "[parameters('gateway')]"})
    deploy(clients, deployment(leaking, gateway=PASSWORD))
    (violation,) = cloud.violations
    assert "/tags/note" in violation
    assert PASSWORD not in cloud.dump()
    cloud.violations.clear()


def test_a_subscription_deployment_makes_the_group(cloud: FakeCloud, clients: Clients) -> None:
    group = resource("Microsoft.Resources/resourceGroups", "new", "2022-09-01", location="northeurope", tags={"a": "b"})
    body = {"location": "northeurope", **deployment(template(group))}
    clients.deployments.deployments.begin_create_or_update_at_subscription_scope("all", body).result()
    assert clients.resources.resource_groups.get("new").tags == {"a": "b"}
