"""Sign-in and permissions, as azure-identity and the management clients meet them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from azure.core.exceptions import ClientAuthenticationError, HttpResponseError

from tests.acceptance.azure_fake.conftest import Clients
from tests.fakes.azure import FakeCloud

_IN_A_PROCESS = """
import os
from azure.identity import DefaultAzureCredential
from azure.mgmt.resource.resources import ResourceManagementClient
endpoint = os.environ["HDICTL_AZURE_ENDPOINT"]
client = ResourceManagementClient(
    DefaultAzureCredential(), os.environ["AZURE_SUBSCRIPTION_ID"], base_url=endpoint,
    credential_scopes=[endpoint + "/.default"],
)
print(client.resource_groups.get("rg").location)
"""


def test_the_default_credential_signs_in_from_a_process_of_its_own(cloud: FakeCloud) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _IN_A_PROCESS],
        env={**os.environ, **cloud.environ()},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.stdout, done.returncode) == ("westeurope\n", 0), done.stderr


def test_sign_in_fails(cloud: FakeCloud, clients: Clients) -> None:
    cloud.identity.signs_in = False
    with pytest.raises(ClientAuthenticationError):
        clients.resources.resource_groups.get("rg")
    assert not any(logged.path.startswith("/subscriptions") for logged in cloud.requests)


def test_a_token_that_expired_is_refused(cloud: FakeCloud, clients: Clients) -> None:
    clients.resources.resource_groups.get("rg")
    cloud.identity.expire_tokens()
    with pytest.raises(ClientAuthenticationError, match="InvalidAuthenticationToken"):
        clients.resources.resource_groups.get("rg")


def test_a_permission_that_is_missing_is_named(cloud: FakeCloud, clients: Clients) -> None:
    cloud.deny("Microsoft.HDInsight/clusters/read")
    clients.resources.resource_groups.get("rg")
    with pytest.raises(HttpResponseError, match=r"'Microsoft\.HDInsight/clusters/read'") as refused:
        clients.hdinsight.clusters.get("rg", "ingest")
    assert refused.value.status_code == 403
    assert refused.value.error.code == "AuthorizationFailed"


@pytest.mark.parametrize(
    ("method", "path", "action"),
    [
        ("POST", "/clusters/c/executeScriptActions", "Microsoft.HDInsight/clusters/executeScriptActions/action"),
        ("POST", "/clusters/c/roles/workernode/resize", "Microsoft.HDInsight/clusters/roles/resize/action"),
        ("PUT", "/clusters/c/extensions/azureMonitor", "Microsoft.HDInsight/clusters/extensions/write"),
        ("DELETE", "/clusters/c", "Microsoft.HDInsight/clusters/delete"),
    ],
)
def test_actions_are_named_as_in_a_role_definition(method: str, path: str, action: str) -> None:
    from tests.fakes.azure.identity import action_of
    from tests.fakes.azure.messages import Request

    where = f"/subscriptions/s/resourceGroups/rg/providers/Microsoft.HDInsight{path}"
    assert action_of(Request(method, where, {}, {})) == action
