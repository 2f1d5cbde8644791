"""Deployments: started, followed, found again, tried out."""

from __future__ import annotations

import time
from typing import Any

import pytest

from hdictl.arm.deployment import Deployment, DeploymentScope
from hdictl.errors import CloudRejected, PermissionMissing, SecretMissing
from hdictl.ports.cloud import Cloud
from hdictl.stack.place import Secret
from tests.acceptance.azure_driver.conftest import GROUP
from tests.fakes.azure import FakeCloud

_SCHEMA = "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#"
_IP = "Microsoft.Network/publicIPAddresses"
_PASSWORD = "Canary-77-password!"


def _deployment(*names: str, secrets: dict[str, Secret] | None = None, **more: Any) -> Deployment:
    resources = [
        {
            "type": _IP,
            "apiVersion": "2024-05-01",
            "name": name,
            "location": "westeurope",
            "sku": {"name": "Standard"},
            "properties": {"publicIPAllocationMethod": "Static"},
        }
        for name in names
    ]
    template = {
        "$schema": _SCHEMA,
        "contentVersion": "1.0.0.0",
        "parameters": {name: {"type": "secureString"} for name in secrets or ()},
        "resources": resources,
        **more,
    }
    return Deployment(DeploymentScope.GROUP, "clickstream", "westeurope", template, secrets=secrets or {})


def _ended(cloud: Cloud, deployment: Deployment) -> str:
    for _ in range(500):
        found = cloud.deployment(deployment.name)
        assert found is not None
        if not found.is_active:
            return found.state
        time.sleep(0.01)
    raise AssertionError("it never ends")


def test_a_deployment_is_started_and_found(group: FakeCloud, cloud: Cloud):
    deployment = _deployment("one", "two")
    cloud.start(deployment)

    assert [each.name for each in cloud.deployments()] == [deployment.name]
    assert _ended(cloud, deployment) == "Succeeded"
    assert {(each.name, each.state) for each in cloud.operations(deployment.name)} == {
        ("one", "Succeeded"),
        ("two", "Succeeded"),
    }
    assert all(each.type == _IP and each.started for each in cloud.operations(deployment.name))
    assert len(group.created(_IP)) == 2


def test_starting_does_not_wait(group: FakeCloud, cloud: Cloud):
    group.freeze()
    deployment = _deployment("one")
    cloud.start(deployment)

    found = cloud.deployment(deployment.name)
    assert found is not None
    assert found.is_active
    group.thaw()


def test_what_runs_already_is_joined(group: FakeCloud, cloud: Cloud):
    group.freeze()
    deployment = _deployment("one")
    cloud.start(deployment)
    cloud.start(deployment)
    group.thaw()

    assert _ended(cloud, deployment) == "Succeeded"
    assert group.duplicates() == []


def test_an_answer_that_was_lost_starts_nothing_twice(group: FakeCloud, cloud: Cloud):
    group.fail("PUT", "*/deployments/*", drop="after")
    deployment = _deployment("one")
    cloud.start(deployment)

    assert _ended(cloud, deployment) == "Succeeded"
    assert group.duplicates() == []


def test_deployments_of_others_are_not_ours(group: FakeCloud, cloud: Cloud):
    for stack in ("clickstream", "other"):
        cloud.start(Deployment(DeploymentScope.GROUP, stack, "westeurope", _deployment("one").template))

    assert [each.name.rsplit("-", 1)[0] for each in cloud.deployments()] == ["hdictl-clickstream"]


def test_a_failure_tells_its_innermost_error(group: FakeCloud, cloud: Cloud):
    group.break_resource(f"*/{_IP}/two", "PublicIPCountLimitReached", "Cannot create more than 10 public IPs.")
    deployment = _deployment("one", "two")
    cloud.start(deployment)

    assert _ended(cloud, deployment) == "Failed"
    found = cloud.deployment(deployment.name)
    assert found is not None
    assert found.error is not None
    assert found.error.code == "PublicIPCountLimitReached"
    (failed,) = [each for each in cloud.operations(deployment.name) if each.state == "Failed"]
    assert failed.error is not None
    assert (failed.name, failed.error.code) == ("two", "PublicIPCountLimitReached")


def test_at_the_subscription(fake: FakeCloud, cloud: Cloud):
    resource = {
        "type": "Microsoft.Resources/resourceGroups",
        "apiVersion": "2024-03-01",
        "name": GROUP,
        "location": "westeurope",
        "properties": {},
    }
    template = {"$schema": _SCHEMA, "contentVersion": "1.0.0.0", "resources": [resource]}
    deployment = Deployment(DeploymentScope.SUBSCRIPTION, "clickstream", "westeurope", template)

    assert cloud.validate(deployment) == ()
    assert [(each.action, each.id.rsplit("/", 1)[-1]) for each in cloud.what_if(deployment)] == [("Create", GROUP)]
    cloud.start(deployment)
    for _ in range(500):
        if cloud.group_tags() is not None:
            break
        time.sleep(0.01)
    assert cloud.group_tags() is not None


def test_a_secret_is_sent_and_not_kept(group: FakeCloud, cloud: Cloud, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GATEWAY_PASSWORD", _PASSWORD)
    deployment = _deployment("one", secrets={"gatewayPassword": Secret(env="GATEWAY_PASSWORD")})
    cloud.start(deployment)

    assert _ended(cloud, deployment) == "Succeeded"
    assert group.saw_secret("gatewayPassword") is not None
    assert _PASSWORD not in group.dump()
    assert _PASSWORD not in repr(deployment)


def test_a_secret_that_is_missing_starts_nothing(group: FakeCloud, cloud: Cloud):
    deployment = _deployment("one", secrets={"gatewayPassword": Secret(env="HDICTL_TEST_UNSET")})

    with pytest.raises(SecretMissing, match="HDICTL_TEST_UNSET"):
        cloud.start(deployment)
    assert cloud.deployments() == ()


def test_dry_runs_need_no_secret(group: FakeCloud, cloud: Cloud):
    deployment = _deployment("one", secrets={"gatewayPassword": Secret(env="HDICTL_TEST_UNSET")})

    assert cloud.validate(deployment) == ()
    assert [each.action for each in cloud.what_if(deployment)] == ["Create"]


def test_what_if_tells_what_would_change(group: FakeCloud, cloud: Cloud):
    body = {
        "location": "westeurope",
        "sku": {"name": "Basic"},
        "properties": {"publicIPAllocationMethod": "Static"},
    }
    group.resource(group.id(GROUP, _IP, "one"), body)

    one, two = sorted(cloud.what_if(_deployment("one", "two")), key=lambda each: each.id)

    assert (one.action, one.paths) == ("Modify", ("sku.name",))
    assert (two.action, two.paths) == ("Create", ())
    assert group.created() == []


def test_what_if_without_the_right(group: FakeCloud, cloud: Cloud):
    group.deny("*/whatIf/action")

    with pytest.raises(PermissionMissing, match="whatIf"):
        cloud.what_if(_deployment("one"))


def test_a_template_that_azure_refuses(group: FakeCloud, cloud: Cloud):
    broken = _deployment("[parameters('nobody')]")

    (error,) = cloud.validate(broken)
    assert error.code == "InvalidTemplate"
    with pytest.raises(CloudRejected) as caught:
        cloud.start(broken)
    assert caught.value.code == "InvalidTemplate"
    assert caught.value.fix


def test_a_deployment_into_no_group(fake: FakeCloud, cloud: Cloud):
    with pytest.raises(CloudRejected) as caught:
        cloud.start(_deployment("one"))
    assert caught.value.code == "ResourceGroupNotFound"
