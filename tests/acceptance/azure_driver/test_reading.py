"""What can be read, and what is not there."""

from hdictl.ports.cloud import Cloud
from tests.acceptance.azure_driver.conftest import GROUP
from tests.fakes.azure import FakeCloud

_VNET = "Microsoft.Network/virtualNetworks"


def test_nothing_is_there(fake: FakeCloud, cloud: Cloud):
    """Neither group nor anything in it: that is an answer, not an error."""
    missing = fake.id(GROUP, _VNET, "vnet")

    assert cloud.group_tags() is None
    assert cloud.cluster("ingest") is None
    assert cloud.resource(missing, _VNET, "2024-05-01") is None
    assert cloud.tagged() == ()
    assert cloud.deployments() == ()
    assert cloud.deployment("hdictl-clickstream-0") is None
    assert cloud.operations("hdictl-clickstream-0") == ()
    assert cloud.free_addresses(missing) == {}
    assert cloud.monitoring("ingest") is None
    assert cloud.script_runs("ingest") == ()


def test_tags_of_the_group(group: FakeCloud, cloud: Cloud):
    assert cloud.group_tags() == {"team": "data"}


def test_a_group_is_made(fake: FakeCloud, cloud: Cloud):
    cloud.make_group("northeurope", {"hdictl-stack": "clickstream"})

    assert cloud.group_tags() == {"hdictl-stack": "clickstream"}
    assert fake.world.group(GROUP).location == "northeurope"


def test_a_group_that_is_there_keeps_its_tags(group: FakeCloud, cloud: Cloud):
    cloud.make_group("westeurope", {"hdictl-stack": "clickstream"})

    assert cloud.group_tags() == {"team": "data", "hdictl-stack": "clickstream"}


def test_a_cluster_in_the_services_own_words(ingest: FakeCloud, cloud: Cloud):
    cluster = cloud.cluster("ingest")

    assert cluster is not None
    assert cluster.is_running
    assert cluster.id == ingest.id(GROUP, "Microsoft.HDInsight/clusters", "ingest")
    assert cluster.workers == 4
    assert cluster.location == "westeurope"
    assert cluster.properties["clusterVersion"] == "5.1.3000.0"
    assert cluster.endpoints["HTTPS"][0] == "localhost"


def test_a_resource_with_its_body(group: FakeCloud, cloud: Cloud):
    id = group.id(GROUP, "Microsoft.Network/networkSecurityGroups", "nsg")
    allowed = {"access": "Allow", "direction": "Inbound", "protocol": "Tcp", "priority": 300}
    rule = {"name": "hdinsight", "properties": {**allowed, "destinationPortRange": "443"}}
    group.resource(id, {"location": "westeurope", "tags": {"a": "b"}, "properties": {"securityRules": [rule]}})

    found = cloud.resource(id, "Microsoft.Network/networkSecurityGroups", "2024-05-01")

    assert found is not None
    assert (found.id, found.name, found.tags) == (id, "nsg", {"a": "b"})
    assert found.body is not None
    assert found.body["properties"]["securityRules"] == [rule]
    assert group.requests[-1].query["api-version"] == "2024-05-01"


def test_only_what_carries_the_stacks_tag(group: FakeCloud, cloud: Cloud):
    tags = {"ours": {"hdictl-stack": "clickstream"}, "loud": {"HDICTL-Stack": "clickstream"}}
    others = {"theirs": {"hdictl-stack": "other"}, "prefix": {"hdictl-stack": "clickstream2"}, "nobodys": {}}
    for name, each in {**tags, **others}.items():
        id = group.id(GROUP, "Microsoft.Network/publicIPAddresses", name)
        group.resource(id, {"location": "westeurope", "tags": each})

    assert {resource.name for resource in cloud.tagged()} == {"ours", "loud"}


def test_addresses_that_are_left(group: FakeCloud, cloud: Cloud):
    vnet = group.id(GROUP, _VNET, "vnet")
    space = {"addressSpace": {"addressPrefixes": ["10.20.0.0/16"]}}
    subnets = [
        {"name": name, "properties": {"addressPrefix": f"10.20.{n}.0/24"}} for n, name in enumerate(["ingest", "jobs"])
    ]
    group.resource(vnet, {"location": "westeurope", "properties": {**space, "subnets": subnets}})

    assert cloud.free_addresses(vnet) == {"ingest": 251, "jobs": 251}


def test_a_resource_is_deleted(group: FakeCloud, cloud: Cloud):
    id = group.id(GROUP, "Microsoft.Network/publicIPAddresses", "ip")
    group.resource(id, {"location": "westeurope", "tags": {"hdictl-stack": "clickstream"}})
    (ours,) = cloud.tagged()

    assert cloud.delete(ours).wait(20)
    assert cloud.tagged() == ()
    assert cloud.delete(ours).wait(20)


def test_a_cluster_is_deleted(ingest: FakeCloud, cloud: Cloud):
    (ours,) = cloud.tagged()

    assert cloud.delete(ours).wait(20)
    assert cloud.cluster("ingest") is None
