"""Microsoft's specification is held against what comes: its own examples pass, planted faults do not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest
from azure.core.exceptions import HttpResponseError

from tests.acceptance.azure_fake.bodies import PASSWORD, cluster, deployment, whole_stack
from tests.acceptance.azure_fake.conftest import Clients
from tests.fakes.azure import FakeCloud
from tests.fakes.azure.contract import swagger
from tests.fakes.azure.contract.documents import Node, specification
from tests.fakes.azure.contract.schema import Side, differences

SPECIFICATION = specification()
pytestmark = pytest.mark.skipif(
    SPECIFICATION is None, reason="Microsoft's specification is not at hand (../shared/data or HDICTL_AZURE_SPECS)"
)
# Examples that Microsoft's own specification does not allow.
_WRONG = {"DeploymentStackResourceGroupList", "DeploymentStackSubscriptionList", "DeploymentStackManagementGroupList"}


def _examples(namespace: str) -> Iterator[tuple[swagger.Operation, str, dict[str, Any]]]:
    assert SPECIFICATION is not None
    for folder in swagger._versions(SPECIFICATION, namespace).values():
        for operations in swagger._operations(folder).values():
            for operation in operations:
                for reference in (operation.described.get("x-ms-examples") or {}).values():
                    file = operation.file.parent / reference["$ref"]
                    if file.exists() and file.stem not in _WRONG:
                        yield operation, file.stem, json.loads(file.read_text(encoding="utf-8-sig"))


@pytest.mark.parametrize("namespace", ["Microsoft.HDInsight", "Microsoft.Network", "Microsoft.Resources"])
def test_microsofts_own_examples_pass(namespace: str) -> None:
    checked = 0
    for operation, name, example in _examples(namespace):
        body = operation.body()
        if body is not None and body.value["name"] in example["parameters"]:
            sent = example["parameters"][body.value["name"]]
            found = list(differences(sent, Node(body.file, body.value["schema"]), Side.REQUEST))
            assert found == [], name
            checked += 1
        for status, answer in example["responses"].items():
            told = operation.described["responses"].get(status) or {}
            schema = Node(operation.file, told).get("schema")
            if schema is not None and "body" in answer:
                assert list(differences(answer["body"], schema, Side.RESPONSE)) == [], name
                checked += 1
    assert checked > 50


def _planted(path: str, value: Any) -> dict[str, Any]:
    body = cluster()
    at: Any = body
    *above, last = path.split("/")
    for part in above:
        at = at[int(part)] if part.isdecimal() else at[part]
    at[last] = value
    return body


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("properties/clusterVerson", "5.1", "clusterVerson is not known"),
        ("properties/osType", "Solaris", "osType is 'Solaris'"),
        ("properties/computeProfile/roles/1/dataDisksGroups/0/diskSizeGB", 1023, "diskSizeGB is read-only"),
        ("properties/computeProfile/roles/1/targetInstanceCount", "4", "targetInstanceCount is str, not integer"),
        ("properties/networkProperties", {"outboundDependenciesManagedType": "Managed"}, "is not known"),
    ],
)
def test_a_wrong_cluster_fails_the_test(cloud: FakeCloud, clients: Clients, path: str, value: Any, said: str) -> None:
    with pytest.raises(HttpResponseError) as refused:
        # As bytes: the client's own models would leave out what they do not know.
        clients.hdinsight.clusters.begin_create("rg", "ingest", BytesIO(json.dumps(_planted(path, value)).encode()))
    assert refused.value.status_code == 400
    assert any(said in each for each in cloud.violations), cloud.violations
    assert cloud.created() == []
    cloud.violations.clear()


def test_the_clusters_of_a_template_are_checked_too(cloud: FakeCloud, clients: Clients) -> None:
    broken = whole_stack()
    broken["resources"][-1]["properties"]["computeProfil"] = {}
    with pytest.raises(HttpResponseError):
        start = clients.deployments.deployments.begin_create_or_update
        start("rg", "first", deployment(broken, gateway=PASSWORD)).result()
    (violation,) = cloud.violations
    assert "ingest.properties.computeProfil is not known" in violation
    cloud.violations.clear()


def test_a_role_that_cannot_be_resized(cloud: FakeCloud, clients: Clients) -> None:
    with pytest.raises(HttpResponseError):
        clients.hdinsight.clusters.begin_resize("rg", "ingest", "headnode", {"targetInstanceCount": 3})
    assert "`headnode` is none of workernode" in cloud.violations.pop()
