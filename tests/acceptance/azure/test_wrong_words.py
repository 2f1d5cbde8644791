"""What a person does wrong at the terminal: one message, the right exit code, and nothing that runs out of reach."""

from __future__ import annotations

import pytest

from tests.acceptance.azure.stacks import settled, stack

ON_A_CLUSTER = {
    "gateway": ("gateway", "ingest", "--yes"),
    "hosts": ("ambari", "hosts", "ingest"),
    "run": ("script", "run", "ingest", "tune", "--uri", "https://example.com/tune.sh", "--yes"),
    "history": ("script", "history", "ingest"),
    "output": ("script", "output", "ingest"),
    "scale": ("scale", "ingest", "5", "--yes"),
}


@pytest.mark.parametrize("command", ON_A_CLUSTER)
def test_a_cluster_that_is_not_there(azure_workspace, cloud, command):
    workspace = settled(azure_workspace, cloud)
    words = ON_A_CLUSTER[command]
    workspace.run(*words).failed(1, "there is no cluster `ingest-clicks` on Azure", "hdictl apply --target azure")
    wrong = ["ingst" if word == "ingest" else word for word in words]
    workspace.run(*wrong).failed(2, "there is no cluster `ingst` (did you mean `ingest`?)", "it is one of ingest, jobs")
    assert cloud.created() == []


def test_what_is_on_azure_can_be_seen_and_ended_whatever_is_wrong_in_the_file(azure_workspace, cloud):
    workspace = settled(azure_workspace, cloud)
    workspace.run("apply", "--yes").ok()
    (workspace.folder / "ops.pub").unlink()
    workspace.write({**stack(), "topics": {"clicks": {"partition": 3}}})
    workspace.run("plan").failed(4, "ops.pub", "did you mean `partitions`")
    assert "ingest-clicks" in workspace.run("status").ok().out
    workspace.run("destroy", "--yes").ok()
    assert cloud.cluster("ingest-clicks") is None


def test_a_file_that_does_not_say_where_on_azure_leads_nowhere(azure_workspace, cloud):
    workspace = settled(azure_workspace, cloud)
    nowhere = {key: value for key, value in stack().items() if key != "azure"}
    workspace.write(nowhere)
    for words in (("status",), ("destroy", "--yes")):
        workspace.run(*words).failed(4, "A001")
    assert cloud.requests == []


def test_a_password_that_is_nowhere_stops_apply_before_anything_is_deleted(azure_workspace, cloud):
    described = stack()
    described["secrets"]["gateway"] = {"env": "GATEWAY_PASSWORD"}
    workspace = settled(azure_workspace, cloud, described)
    workspace.run("plan").failed(3)
    workspace.run("apply", "--yes").failed(1, "GATEWAY_PASSWORD is not set")
    assert cloud.cluster("ingest-clicks") is None

    workspace.environ["GATEWAY_PASSWORD"] = "Gateway-Pa55word!"
    workspace.run("apply", "--yes").ok()
    del workspace.environ["GATEWAY_PASSWORD"]
    described["clusters"]["ingest"]["workers"]["size"] = "Standard_E4_v3"
    workspace.write(described)
    workspace.run("apply", "--yes", "--replace", "ingest").failed(1, "GATEWAY_PASSWORD is not set")
    living = cloud.cluster("ingest-clicks")
    assert living is not None
    assert not [each for each in cloud.requests if each.method == "DELETE"]


def test_a_secret_that_the_vault_does_not_hold_is_refused_once(azure_workspace, cloud):
    described = stack()
    described["secrets"]["gateway"]["name"] = "absent"
    workspace = settled(azure_workspace, cloud, described)
    told = workspace.run("plan", "--json").failed(1).json
    (refusal,) = told["plan"]["refusals"]
    assert refusal["what"].count("KeyVaultParameterReferenceSecretRetrieveFailed") == 1


def test_who_may_not_read_deployments_sees_the_clusters_all_the_same(azure_workspace, cloud):
    workspace = settled(azure_workspace, cloud)
    workspace.run("apply", "--yes").ok()
    cloud.deny("Microsoft.Resources/deployments/read")
    told = workspace.run("status").ok().out
    assert "Running" in told
    assert "deployments were not looked at" in told


def test_a_tag_that_is_spelt_in_another_case_is_the_same_tag(azure_workspace, cloud):
    workspace = settled(azure_workspace, cloud)
    workspace.run("apply", "--yes").ok()
    described = stack()
    described["azure"]["tags"] = {"Team": "data"}
    workspace.write(described)
    workspace.run("plan").ok()
    described["azure"]["tags"] = {"Team": "platform"}
    workspace.write(described)
    workspace.run("apply", "--yes").ok()
    living = cloud.cluster("ingest-clicks")
    assert living is not None
    assert living.body["tags"] == {"Team": "platform", "hdictl-stack": "clicks"}
