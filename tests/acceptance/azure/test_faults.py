"""What Azure does to its users: throttling, errors, lost connections, failed clusters, missing permissions."""

from __future__ import annotations

import pytest

from tests.acceptance.azure.stacks import settled, stack

CODES = {
    "InvalidDocumentErrorCode": "a VM size that the role does not take, or a script action whose address",
    "AmbariClusterCreationFailedErrorCode": "Storage Blob Data Owner",
    "CustomizationFailedErrorCode": "hdictl script history",
    "InvalidNetworkSecurityGroupSecurityRules": "443",
}


def test_throttling_errors_and_lost_connections_are_waited_out(azure_workspace, cloud):
    workspace = settled(azure_workspace, cloud)
    cloud.throttle("GET", "*/clusters/*", after="1", times=2)
    cloud.fail("PUT", "*/deployments/*", status=503, times=1)
    cloud.fail("GET", "*/deployments/*", status=500, times=2)
    cloud.fail("GET", "*/virtualNetworks/*", drop="before", times=1)
    workspace.run("apply", "--yes").ok()
    assert cloud.duplicates() == []


def test_what_is_seen_late_is_no_failure(azure_workspace, cloud):
    workspace = settled(azure_workspace, cloud)
    cloud.lag(reads=2, lists=2)
    workspace.run("apply", "--yes").ok()
    assert cloud.duplicates() == []


@pytest.mark.parametrize("code", CODES)
def test_a_failed_deployment_is_told_by_its_innermost_error_and_what_to_do(azure_workspace, cloud, code):
    workspace = settled(azure_workspace, cloud)
    cloud.break_cluster("ingest-clicks", code, "the innermost reason")
    told = workspace.run("apply", "--yes").failed(1, f"{code}: the innermost reason", CODES[code])
    assert "DeploymentFailed" not in told.err
    # What failed is not repaired behind one's back: it takes its name.
    workspace.run("plan").failed(1, "cluster:ingest", code, "--replace ingest")
    workspace.run("apply", "--yes", "--replace", "ingest").ok()
    assert cloud.duplicates() == []


def test_what_passes_by_itself_is_tried_again(azure_workspace, cloud):
    workspace = settled(azure_workspace, cloud)
    cloud.break_cluster("ingest-clicks", "BadRequest", "Cluster setup failed to install components")
    told = workspace.run("apply", "--yes").ok()
    assert "trying again" in told.err


def test_quota_names_and_capabilities_are_refused_before_anything_is_touched(azure_workspace, cloud):
    workspace = settled(azure_workspace, cloud)
    cloud.quota("westeurope", 10)
    cloud.take_name("jobs-clicks")
    workspace.run("apply", "--yes").failed(
        1, "more cores are needed", "`jobs-clicks` cannot be had", "nothing was touched"
    )
    assert cloud.created() == []
    workspace.run("plan", "--skip", "quota", "--skip", "names").failed(3)


def test_a_saved_plan_is_refused_when_the_quota_was_used_up_since(azure_workspace, cloud):
    workspace = settled(azure_workspace, cloud)
    workspace.run("plan", "--out", "plan.json").failed(3)
    cloud.quota("westeurope", 10)
    workspace.run("apply", "plan.json").failed(1, "more cores are needed", "nothing was touched")
    assert cloud.created() == []


def test_a_missing_permission_for_a_dry_run_is_a_note(azure_workspace, cloud):
    workspace = settled(azure_workspace, cloud)
    cloud.deny("Microsoft.Resources/deployments/whatIf/action")
    workspace.run("plan").failed(3, "what-if was not asked")


def test_a_missing_permission_to_deploy_is_told(azure_workspace, cloud):
    workspace = settled(azure_workspace, cloud)
    cloud.deny("Microsoft.Resources/deployments/write")
    workspace.run("apply", "--yes").failed(1, "Microsoft.Resources/deployments/write")


def test_scale_does_without_a_look_at_deployments(azure_workspace, cloud):
    workspace = settled(azure_workspace, cloud)
    workspace.run("apply", "--yes").ok()
    cloud.deny("Microsoft.Resources/deployments/read")
    told = workspace.run("scale", "jobs", "4").ok()
    assert "deployments were not looked at" in told.err


def test_nobody_signed_in(azure_workspace, cloud):
    workspace = settled(azure_workspace, cloud)
    workspace.environ["IDENTITY_HEADER"] = "wrong"
    workspace.run("plan").failed(1, "E500", "az login")


def test_a_secret_that_is_missing_is_told(azure_workspace, cloud):
    workspace = settled(azure_workspace, cloud)
    workspace.write(
        {**stack(), "secrets": {**stack()["secrets"], "gateway": {"keyvault": "kv-clicks", "name": "none"}}}
    )
    workspace.run("apply", "--yes", "--skip=validate", "--skip=what-if").failed(1, "none", "az keyvault")


def test_ctrl_c_leaves_the_deployment_and_the_next_apply_follows_it(azure_workspace, cloud):
    workspace = settled(azure_workspace, cloud)
    cloud.pace = 0.5
    is_deploying = lambda: any(state == "Running" for state in cloud.deployment_states().values())  # noqa: E731
    told = workspace.interrupted("apply", "--yes", when=is_deploying)
    told.failed(130, "the deployment goes on in Azure", "run the same command again")
    cloud.pace = 0.05
    workspace.run("apply", "--yes").ok()
    assert cloud.duplicates() == []
