"""What HDInsight can change on a cluster that runs."""

import pytest

from hdictl.drivers.azure.secrets import SecretText
from hdictl.errors import CloudRejected, CloudUnreachable
from hdictl.ports.cloud import Cloud, ScriptAction
from tests.acceptance.azure_driver.conftest import GROUP, cluster_body, with_cluster
from tests.fakes.azure import FakeCloud

_SCRIPT = ScriptAction("tools", "https://example.com/tools.sh", "--all", ("headnode", "workernode"))


def test_more_workers(ingest: FakeCloud, cloud: Cloud):
    operation = cloud.resize("ingest", 6)

    assert operation.wait(20)
    found = cloud.cluster("ingest")
    assert found is not None
    assert found.workers == 6
    assert found.is_running


def test_waiting_ends_in_time(ingest: FakeCloud, cloud: Cloud):
    ingest.freeze()
    operation = cloud.resize("ingest", 6)

    assert not operation.wait(0.1)
    ingest.thaw()
    assert operation.wait(20)


def test_kafka_does_not_scale_in(ingest: FakeCloud, cloud: Cloud):
    with pytest.raises(CloudRejected) as caught:
        cloud.resize("ingest", 3)

    assert caught.value.code == "InvalidKafkaScaleDownRequestErrorCode"
    assert "never scales in" in (caught.value.fix or "")
    assert caught.value.where == "HDInsight cluster `ingest`"


def test_a_resize_that_fails_on_the_way(ingest: FakeCloud, cloud: Cloud):
    ingest.break_resize("ingest", "FailedToConnectWithClusterErrorCode", "Unable to connect to the cluster.")
    operation = cloud.resize("ingest", 6)

    with pytest.raises(CloudRejected) as caught:
        operation.wait(20)

    assert caught.value.code == "FailedToConnectWithClusterErrorCode"
    assert "NSG" in (caught.value.fix or "")


def test_a_resize_whose_answer_was_lost_is_followed(ingest: FakeCloud, cloud: Cloud):
    ingest.fail("POST", "*/roles/workernode/resize", drop="after")
    ingest.freeze()  # so that the second request finds the first at work, however late it comes
    resizing = cloud.resize("ingest", 6)
    ingest.thaw()

    assert resizing.wait(20)
    assert [entry.note for entry in ingest.ledger if entry.action == "resize"] == ["4 → 6"]


def test_a_cluster_that_is_busy_with_something_else_refuses(ingest: FakeCloud, cloud: Cloud):
    ingest.freeze()
    cloud.resize("ingest", 6)

    with pytest.raises(CloudRejected) as caught:
        cloud.resize("ingest", 7)
    assert "wait until it is over" in (caught.value.fix or "")
    ingest.thaw()


def test_autoscale_on_and_off(group: FakeCloud, cloud: Cloud):
    with_cluster(group, "jobs", cluster_body("spark"))
    wanted = {"capacity": {"minInstanceCount": 3, "maxInstanceCount": 10}}

    assert cloud.autoscale("jobs", wanted).wait(20)
    assert _worker(cloud).get("autoscale") == wanted
    assert cloud.autoscale("jobs", None).wait(20)
    assert "autoscale" not in _worker(cloud)


def _worker(cloud: Cloud):
    found = cloud.cluster("jobs")
    assert found is not None
    return found.role("workernode") or {}


def test_tags_are_replaced(ingest: FakeCloud, cloud: Cloud):
    cloud.tag("ingest", {"hdictl-stack": "clickstream", "cost": "42"})

    found = cloud.cluster("ingest")
    assert found is not None
    assert found.tags == {"hdictl-stack": "clickstream", "cost": "42"}


def test_the_gateways_password(ingest: FakeCloud, cloud: Cloud):
    settings = {
        "restAuthCredential.isEnabled": True,
        "restAuthCredential.username": "admin",
        "restAuthCredential.password": SecretText("Canary-77-password!"),
    }

    assert cloud.gateway("ingest", settings).wait(20)
    assert ingest.gateway_takes("ingest", "admin", "Canary-77-password!")
    assert "Canary" not in ingest.dump()


def test_entra_users_need_a_later_api(ingest: FakeCloud, cloud: Cloud):
    user = {"objectId": "1", "displayName": "Ada", "upn": "ada@example.com"}

    assert cloud.gateway("ingest", {"restAuthEntraUsers": [user]}).wait(20)
    (sent,) = [each for each in ingest.requests if each.path.endswith("/updateGatewaySettings")]
    assert sent.query["api-version"] == "2025-01-15-preview"
    assert sent.body == {"restAuthEntraUsers": [user]}


def test_a_key_is_rotated(group: FakeCloud, cloud: Cloud):
    key = {"vaultUri": "https://kv.vault.azure.net/", "keyName": "kafka", "keyVersion": "1"}
    with_cluster(group, "ingest", cluster_body(diskEncryptionProperties=key))

    assert cloud.rotate_key("ingest", "https://kv.vault.azure.net/", "kafka", "2").wait(20)
    found = cloud.cluster("ingest")
    assert found is not None
    assert found.properties["diskEncryptionProperties"]["keyVersion"] == "2"


def test_monitoring_on_and_off(ingest: FakeCloud, cloud: Cloud):
    workspace = ingest.id(GROUP, "Microsoft.OperationalInsights/workspaces", "logs")
    ingest.resource(workspace, {"location": "westeurope"})

    assert cloud.monitoring("ingest") is None
    assert cloud.monitor("ingest", workspace).wait(20)
    assert cloud.monitoring("ingest") == ingest.world.read(workspace).properties["customerId"]
    assert cloud.monitor("ingest", None).wait(20)
    assert cloud.monitoring("ingest") is None


def test_a_script_runs_and_tells(ingest: FakeCloud, cloud: Cloud):
    assert cloud.run_scripts("ingest", [_SCRIPT], persist=False).wait(20)

    (run,) = cloud.script_runs("ingest")
    assert (run.name, run.status) == ("tools", "Succeeded")
    assert run.started
    assert cloud.script_output("ingest", run.id)


def test_a_script_that_fails(ingest: FakeCloud, cloud: Cloud):
    ingest.break_script(_SCRIPT.uri, "curl: (6) Could not resolve host")
    operation = cloud.run_scripts("ingest", [_SCRIPT], persist=True)

    with pytest.raises(CloudRejected) as caught:
        operation.wait(20)

    assert caught.value.code == "CustomizationFailedErrorCode"
    assert "hdictl script history" in (caught.value.fix or "")
    (run,) = cloud.script_runs("ingest")
    assert "Could not resolve host" in cloud.script_output("ingest", run.id)


def test_output_of_a_run_that_never_was(ingest: FakeCloud, cloud: Cloud):
    with pytest.raises(CloudRejected, match="there is no script run 7"):
        cloud.script_output("ingest", 7)


@pytest.mark.parametrize("fault", [{"drop": "after"}, {"status": 500}])
def test_a_script_is_never_run_twice(ingest: FakeCloud, cloud: Cloud, fault: dict[str, object]):
    ingest.fail("POST", "*/executeScriptActions", times=5, **fault)

    with pytest.raises(CloudUnreachable) as caught:
        cloud.run_scripts("ingest", [_SCRIPT], persist=False)

    assert caught.value.fix
    ingest.heal()
    asked = [each for each in ingest.requests if each.path.endswith("/executeScriptActions")]
    assert len(asked) == 1


def test_a_script_that_was_throttled_runs(ingest: FakeCloud, cloud: Cloud):
    ingest.throttle("POST", "*/executeScriptActions", times=2)

    assert cloud.run_scripts("ingest", [_SCRIPT], persist=False).wait(20)
    assert len(cloud.script_runs("ingest")) == 1
