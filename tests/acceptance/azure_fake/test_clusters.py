"""HDInsight's own client makes, reads, changes and deletes clusters."""

from __future__ import annotations

from typing import Any

import pytest
from azure.core.exceptions import HttpResponseError, ResourceNotFoundError

from tests.acceptance.azure_fake.bodies import PASSWORD, cluster
from tests.acceptance.azure_fake.conftest import Clients
from tests.fakes.azure import FakeCloud
from tests.fakes.azure.hdinsight.cluster import STATES
from tests.fakes.azure.secrets import digest


def make(clients: Clients, name: str = "ingest", **options: Any) -> Any:
    return clients.hdinsight.clusters.begin_create("rg", name, cluster(**options)).result()


def test_a_cluster_comes_to_run_state_by_state(cloud: FakeCloud, clients: Clients) -> None:
    cloud.world.clock.pace = 0  # one state a request
    poller = clients.hdinsight.clusters.begin_create("rg", "ingest", cluster(), polling=False)
    seen = [poller.result().properties.cluster_state]
    while seen[-1] != "Running":
        seen.append(clients.hdinsight.clusters.get("rg", "ingest").properties.cluster_state)
    assert seen == list(STATES)
    assert cloud.created() == [cloud.id("rg", "Microsoft.HDInsight/clusters", "ingest")]


def test_what_is_read_back_is_not_what_was_sent(cloud: FakeCloud, clients: Clients) -> None:
    made = make(clients)
    assert made.location == "West Europe"
    assert made.properties.cluster_version == "5.1.3000.0"
    roles = {role.name: role for role in made.properties.compute_profile.roles}
    assert roles["workernode"].hardware_profile.vm_size == "standard_e4_v3"
    assert roles["workernode"].data_disks_groups[0].disk_size_gb == 1023
    assert roles["zookeepernode"].target_instance_count == 3, "it was left out"
    assert made.properties.quota_info.cores_used == 24, "ZooKeeper is not counted"
    assert made.properties.cluster_definition.configurations is None
    endpoints = {each.name: each for each in made.properties.connectivity_endpoints}
    assert f"https://{endpoints['HTTPS'].location}:{endpoints['HTTPS'].port}" == cloud.endpoint


def test_workers_only_grow_on_kafka(cloud: FakeCloud, clients: Clients) -> None:
    make(clients)
    told: list[tuple[str, int]] = []
    cloud.on_resize(lambda resized, workers: told.append((resized.id.name, workers)))
    resize = clients.hdinsight.clusters.begin_resize
    resize("rg", "ingest", "workernode", {"targetInstanceCount": 6}).result()
    assert told == [("ingest", 6)]
    workers = [host.name for host in clients.hdinsight.virtual_machines.list_hosts("rg", "ingest")]
    assert [name for name in workers if name.startswith("wn")] == [f"wn{n}-ingest" for n in (0, 1, 3, 4, 5, 6)]
    with pytest.raises(HttpResponseError) as refused:
        resize("rg", "ingest", "workernode", {"targetInstanceCount": 5}).result()
    assert refused.value.error.code == "InvalidKafkaScaleDownRequestErrorCode"


def test_a_resize_that_fails_says_why_and_leaves_the_old_number(cloud: FakeCloud, clients: Clients) -> None:
    make(clients)
    cloud.break_resize("ingest", "FailedToConnectWithClusterErrorCode", "The cluster cannot be reached.")
    with pytest.raises(HttpResponseError, match="FailedToConnectWithClusterErrorCode"):
        clients.hdinsight.clusters.begin_resize("rg", "ingest", "workernode", {"targetInstanceCount": 6}).result()
    roles = clients.hdinsight.clusters.get("rg", "ingest").properties.compute_profile.roles
    assert next(role for role in roles if role.name == "workernode").target_instance_count == 4


def test_a_cluster_does_one_thing_at_a_time(cloud: FakeCloud, clients: Clients) -> None:
    make(clients)
    cloud.freeze()
    resize = clients.hdinsight.clusters.begin_resize
    resize("rg", "ingest", "workernode", {"targetInstanceCount": 5}, polling=False)
    with pytest.raises(HttpResponseError, match="ResizeQueued"):
        resize("rg", "ingest", "workernode", {"targetInstanceCount": 6}, polling=False)


def test_cores_are_counted_against_the_quota(cloud: FakeCloud, clients: Clients) -> None:
    cloud.quota("westeurope", 30)
    make(clients)
    with pytest.raises(HttpResponseError, match="exceeded the available cores"):
        clients.hdinsight.clusters.begin_resize("rg", "ingest", "workernode", {"targetInstanceCount": 6})
    with pytest.raises(HttpResponseError, match="exceeded the available cores"):
        make(clients, "second")
    (usage,) = clients.hdinsight.locations.list_usages("westeurope").value
    assert (usage.current_value, usage.limit) == (24, 30)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"clusterVersion": "5.0"}, "BadRequest"),
        ({"clusterDefinition": {"kind": "KAFKA", "componentVersion": {"Kafka": "3.2.0"}}}, "BadRequest"),
    ],
)
def test_what_the_service_refuses(clients: Clients, change: dict[str, Any], code: str) -> None:
    body = cluster()
    body["properties"].update(change)
    with pytest.raises(HttpResponseError) as refused:
        clients.hdinsight.clusters.begin_create("rg", "ingest", body)
    assert refused.value.error.code == code
    with pytest.raises(ResourceNotFoundError):
        clients.hdinsight.clusters.get("rg", "ingest")


def test_tags_gateway_autoscale_and_hosts(cloud: FakeCloud, clients: Clients) -> None:
    make(clients, kind="SPARK")
    clusters = clients.hdinsight.clusters
    assert clusters.update("rg", "ingest", {"tags": {"team": "ops"}}).tags == {"team": "ops"}
    capacity = {"capacity": {"minInstanceCount": 3, "maxInstanceCount": 9}}
    clusters.begin_update_auto_scale_configuration("rg", "ingest", "workernode", {"autoscale": capacity}).result()
    worker = clusters.get("rg", "ingest").properties.compute_profile.roles[1]
    assert worker.autoscale_configuration.capacity.max_instance_count == 9
    new = {"restAuthCredential.isEnabled": True, "restAuthCredential.username": "admin"}
    new["restAuthCredential.password"] = "Another-1234!x"
    clusters.begin_update_gateway_settings("rg", "ingest", new).result()
    assert cloud.saw_secret("ingest") == digest("Another-1234!x")
    assert cloud.gateway_takes("ingest", "admin", "Another-1234!x")
    assert not cloud.gateway_takes("ingest", "admin", PASSWORD)
    clients.hdinsight.virtual_machines.begin_restart_hosts("rg", "ingest", ["wn0-ingest"]).result()
    assert [entry.action for entry in cloud.ledger][-1] == "restart hosts"


def test_a_deleted_cluster_is_gone(cloud: FakeCloud, clients: Clients) -> None:
    make(clients)
    clients.hdinsight.clusters.begin_delete("rg", "ingest").result()
    assert list(clients.hdinsight.clusters.list_by_resource_group("rg")) == []
    make(clients)
    assert cloud.duplicates() == []


def test_a_broken_cluster_is_in_error_and_says_why(cloud: FakeCloud, clients: Clients) -> None:
    cloud.break_cluster("ingest", "CustomizationFailedErrorCode", "The script did not end well.")
    with pytest.raises(HttpResponseError, match="CustomizationFailedErrorCode"):
        make(clients)
    found = clients.hdinsight.clusters.get("rg", "ingest").properties
    assert (found.cluster_state, found.provisioning_state) == ("Error", "Failed")
    assert found.errors[0].code == "CustomizationFailedErrorCode"


def test_fresh_clusters_show_late(cloud: FakeCloud, clients: Clients) -> None:
    cloud.lag(reads=2, lists=1)
    clients.hdinsight.clusters.begin_create("rg", "ingest", cluster(), polling=False)
    for _ in range(2):
        with pytest.raises(ResourceNotFoundError):
            clients.hdinsight.clusters.get("rg", "ingest")
    assert clients.hdinsight.clusters.get("rg", "ingest").name == "ingest"
    assert [len(list(clients.hdinsight.clusters.list())) for _ in range(2)] == [0, 1]
