"""A password is in no log and in no traceback, not even in the variables of its frames."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable

import pytest

from hdictl.arm.deployment import Deployment, DeploymentScope
from hdictl.drivers.azure.secrets import secret_value
from hdictl.errors import HdictlError
from hdictl.ports.cloud import Cloud
from hdictl.stack.place import Secret
from tests.fakes.azure import FakeCloud

_CANARY = "Canary-77-password!"
_SECRET = Secret(env="GATEWAY_PASSWORD")
_TEMPLATE = {
    "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
    "contentVersion": "1.0.0.0",
    "parameters": {"gatewayPassword": {"type": "secureString"}},
    "resources": [],
}


def _start(cloud: Cloud) -> None:
    secrets = {"gatewayPassword": _SECRET}
    cloud.start(Deployment(DeploymentScope.GROUP, "clickstream", "westeurope", _TEMPLATE, secrets=secrets))


def _gateway(cloud: Cloud) -> None:
    password = secret_value(_SECRET, "gateway password")
    cloud.gateway("ingest", {"restAuthCredential.isEnabled": True, "restAuthCredential.password": password}).wait(20)


def _vault(cloud: Cloud) -> None:
    secret_value(Secret(keyvault="kv-clickstream", name="gateway"), "gateway password")


@pytest.fixture(autouse=True)
def password(ingest: FakeCloud, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATEWAY_PASSWORD", _CANARY)
    ingest.secret("kv-clickstream", "gateway", _CANARY)


@pytest.mark.parametrize("use", [_start, _gateway, _vault])
def test_not_in_the_log(cloud: Cloud, caplog: pytest.LogCaptureFixture, use: Callable[[Cloud], None]):
    with caplog.at_level(logging.DEBUG):
        use(cloud)

    assert caplog.records
    assert _CANARY not in caplog.text
    assert not any(_CANARY in repr(vars(record)) for record in caplog.records)


@pytest.mark.parametrize(
    "fault", [{"status": 403, "code": "Forbidden"}, {"status": 400}, {"status": 500}, {"drop": "before"}]
)
@pytest.mark.parametrize("use", [_start, _gateway])
def test_not_in_a_traceback(ingest: FakeCloud, cloud: Cloud, use: Callable[[Cloud], None], fault: dict[str, object]):
    ingest.fail("PUT", "*/deployments/*", times=50, **fault)
    ingest.fail("POST", "*/updateGatewaySettings", times=50, **fault)

    with pytest.raises(HdictlError) as caught:
        use(cloud)

    shown = "".join(traceback.TracebackException.from_exception(caught.value, capture_locals=True).format())
    assert "gatewayPassword" in shown or "restAuthCredential" in shown  # the variables are shown
    assert _CANARY not in shown
