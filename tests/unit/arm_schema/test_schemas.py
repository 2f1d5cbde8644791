"""What hdictl renders against Microsoft's ARM schemas and REST specification."""

from __future__ import annotations

import copy

import pytest

from hdictl.arm.lint.reading import read
from tests.fakes.azure.contract.arm_schema import ArmSchemas, arm_schemas
from tests.fakes.azure.contract.swagger import Contract, contract
from tests.unit.arm_schema.examples import EXAMPLES, as_json, deployments, module_files, resources

# Types of ours that the collection of schemas at hand does not have.
WITHOUT_SCHEMA = {"Microsoft.Insights/scheduledQueryRules"}
CLUSTER = "Microsoft.HDInsight/clusters"


@pytest.fixture(scope="module")
def schemas() -> ArmSchemas:
    found = arm_schemas()
    if found is None:
        pytest.skip("Microsoft's ARM schemas are not here: neither in ../shared/data nor where HDICTL_AZURE_SPECS says")
    return found


@pytest.fixture(scope="module")
def specification() -> Contract:
    found = contract()
    if found is None:
        pytest.skip("Microsoft's REST specification is not here: see HDICTL_AZURE_SPECS")
    return found


@pytest.mark.parametrize("name", EXAMPLES)
def test_documents(name, schemas):
    for _, template, parameters in deployments(name):
        assert schemas.template_errors(as_json(template)) == []
        assert schemas.parameter_file_errors(as_json(parameters)) == []


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_resource(name, schemas):
    checked = [one for one in resources(name) if schemas.has(one)]
    assert {one["type"] for one in resources(name) if one not in checked} <= WITHOUT_SCHEMA
    assert {one["name"]: errors for one in checked if (errors := schemas.resource_errors(one))} == {}


@pytest.mark.parametrize("file", module_files(), ids=lambda file: file.stem)
def test_modules_are_templates(file, schemas):
    document, repeated = read(file.read_text(encoding="utf-8"), file.name)
    assert repeated == ()
    assert schemas.template_errors(document.data) == []


@pytest.mark.parametrize("name", EXAMPLES)
def test_clusters_as_their_service_describes_them(name, specification):
    clusters = [one for one in resources(name) if one["type"] == CLUSTER]
    assert clusters
    for one in clusters:
        body = {key: value for key, value in one.items() if key != "id"}
        assert specification.check_resource(one["id"], one["apiVersion"], body) == []


@pytest.fixture
def cluster():
    """A copy to spoil."""
    return copy.deepcopy(next(one for one in resources("stacks/clickstream") if one["type"] == CLUSTER))


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (("properties", "tier"), "Free", "'Free' is not"),
        (("properties", "clusterVersoin"), "5.1", "no such property"),
        (("properties", "computeProfile", "roles", 0, "hardwareProfile", "vmsize"), "A", "no such property"),
        (("properties", "computeProfile", "roles", 0, "targetInstanceCount"), "two", "'two' is not"),
        (("properties", "storageProfile"), [], "is not"),
    ],
)
def test_a_wrong_cluster_is_told(cluster, path, value, says, schemas):
    assert schemas.resource_errors(cluster) == []
    holder = cluster
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = value
    assert any(says in error for error in schemas.resource_errors(cluster)), schemas.resource_errors(cluster)


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [("diskSizeGB", 1023, "read-only"), ("disksPerNod", 2, "not known"), ("disksPerNode", "2", "not integer")],
)
def test_what_the_service_does_not_take_is_told(cluster, name, value, says, specification):
    cluster["properties"]["computeProfile"]["roles"][1]["dataDisksGroups"] = [{name: value}]
    body = {key: item for key, item in cluster.items() if key != "id"}
    assert any(says in error for error in specification.check_resource(cluster["id"], cluster["apiVersion"], body))


def test_a_wrong_document_is_told(schemas):
    template = as_json(deployments("stacks/clickstream")[1][1])
    assert schemas.template_errors({**template, "contentVersion": "1"})
    assert schemas.template_errors({**template, "extra": 1})
    assert schemas.template_errors({**template, "parameters": {"a": {"type": "text"}}})
    assert schemas.parameter_file_errors({"contentVersion": "1.0.0.0"})
