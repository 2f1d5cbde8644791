"""The real SDK clients, pointed at a fake cloud in this process."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pytest
from azure.identity import DefaultAzureCredential
from azure.keyvault.secrets import SecretClient
from azure.mgmt.hdinsight import HDInsightManagementClient
from azure.mgmt.network import NetworkManagementClient
from azure.mgmt.resource.deployments import DeploymentsMgmtClient
from azure.mgmt.resource.resources import ResourceManagementClient

from tests.fakes.azure import FakeCloud
from tests.fakes.azure.names import SUBSCRIPTION_ID


@dataclass(frozen=True)
class Clients:
    """Nothing is replaced in them; they are told another address."""

    endpoint: str
    credential: DefaultAzureCredential

    @cached_property
    def hdinsight(self) -> HDInsightManagementClient:
        return HDInsightManagementClient(self.credential, SUBSCRIPTION_ID, **self._options)

    @cached_property
    def deployments(self) -> DeploymentsMgmtClient:
        return DeploymentsMgmtClient(self.credential, SUBSCRIPTION_ID, **self._options)

    @cached_property
    def resources(self) -> ResourceManagementClient:
        return ResourceManagementClient(self.credential, SUBSCRIPTION_ID, **self._options)

    @cached_property
    def network(self) -> NetworkManagementClient:
        return NetworkManagementClient(self.credential, SUBSCRIPTION_ID, **self._options)

    def vault(self, name: str) -> SecretClient:
        return SecretClient(f"{self.endpoint}/vaults/{name}", self.credential, verify_challenge_resource=False)

    @property
    def _options(self) -> dict[str, Any]:
        return {
            "base_url": self.endpoint,
            "credential_scopes": [f"{self.endpoint}/.default"],
            "polling_interval": 0.01,
            "retry_backoff_factor": 0.01,
        }


@pytest.fixture
def cloud(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeCloud]:
    """With a group `rg`. A test that plants a violation clears it."""
    with FakeCloud(pace=0.01) as cloud:
        for name, value in cloud.environ().items():
            monkeypatch.setenv(name, value)
        cloud.group("rg")
        yield cloud
    assert not cloud.violations, "\n".join(cloud.violations)


@pytest.fixture
def clients(cloud: FakeCloud) -> Clients:
    return Clients(cloud.endpoint, DefaultAzureCredential())
