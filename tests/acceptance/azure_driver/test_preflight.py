"""What can be asked before a cluster is made."""

from hdictl.ports.cloud import Cloud
from tests.acceptance.azure_driver.conftest import cluster_body
from tests.fakes.azure import FakeCloud


def test_a_name_that_somebody_has(group: FakeCloud, cloud: Cloud):
    group.take_name("ingest")

    assert cloud.name_trouble("westeurope", "free") is None
    assert "ingest" in (cloud.name_trouble("westeurope", "ingest") or "")


def test_cores_that_are_left(ingest: FakeCloud, cloud: Cloud):
    ingest.quota("westeurope", 100)

    cores = cloud.usages("westeurope")["cores"]

    assert (cores.current, cores.limit, cores.free) == (24, 100, 76)


def test_what_a_region_offers(group: FakeCloud, cloud: Cloud):
    offered = cloud.capabilities("westeurope")

    assert "5.1" in offered.versions["kafka"]
    assert "5.1" in offered.versions["spark"]
    assert "standard_e4_v3" in offered.sizes


def test_a_description_that_holds(group: FakeCloud, cloud: Cloud):
    """No secret is sent: a parameter's place is taken by a stand-in."""
    body = {**cluster_body(), "apiVersion": "2021-06-01", "dependsOn": ["x"]}
    gateway = body["properties"]["clusterDefinition"]["configurations"]["gateway"]
    gateway["restAuthCredential.password"] = "[parameters('gatewayPassword')]"

    cloud.validate_cluster("westeurope", "ingest", body)

    (sent,) = [each for each in group.requests if each.path.endswith("/validateCreateRequest")]
    assert sent.query["api-version"] == "2021-06-01"
    assert sent.body["name"] == "ingest"
    assert "dependsOn" not in sent.body
    assert "[parameters" not in str(sent.body)


def test_a_description_that_does_not(group: FakeCloud, cloud: Cloud):
    errors = cloud.validate_cluster("westeurope", "ingest", cluster_body(clusterVersion="4.0"))

    assert any("4.0" in error.message for error in errors)
