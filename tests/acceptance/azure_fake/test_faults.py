"""What goes wrong on the way, and what the real clients make of it."""

from __future__ import annotations

import pytest
from azure.core.exceptions import HttpResponseError, ServiceRequestError, ServiceResponseError

from tests.acceptance.azure_fake.bodies import cluster
from tests.acceptance.azure_fake.conftest import Clients
from tests.fakes.azure import FakeCloud
from tests.fakes.azure.faults import Drop


def tries(cloud: FakeCloud, method: str, ending: str) -> list[int]:
    return [each.status for each in cloud.requests if each.method == method and each.path.endswith(ending)]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_clients_try_again(cloud: FakeCloud, clients: Clients, status: int) -> None:
    cloud.fail("GET", "*/resourcegroups/rg", status, "Busy", retry_after="0", times=2)
    assert clients.resources.resource_groups.get("rg").name == "rg"
    assert tries(cloud, "GET", "/resourcegroups/rg") == [status, status, 200]


def test_a_fault_may_come_later_and_be_for_good(cloud: FakeCloud, clients: Clients) -> None:
    cloud.fail("GET", "*/resourcegroups/rg", 409, "Conflict", "Somebody is at it.", after=1, times=100)
    clients.resources.resource_groups.get("rg")
    with pytest.raises(HttpResponseError, match="Somebody is at it"):
        clients.resources.resource_groups.get("rg")
    cloud.heal()
    clients.resources.resource_groups.get("rg")


@pytest.mark.parametrize("drop", [Drop.BEFORE, Drop.IN_BODY])
def test_a_lost_connection_is_tried_again(cloud: FakeCloud, clients: Clients, drop: Drop) -> None:
    cloud.fail("GET", "*/resourcegroups/rg", drop=drop)
    assert clients.resources.resource_groups.get("rg").name == "rg"


def test_what_was_done_is_done_though_nobody_heard_of_it(cloud: FakeCloud, clients: Clients) -> None:
    cloud.fail("PUT", "*/clusters/ingest", drop="after", times=10)
    with pytest.raises((ServiceRequestError, ServiceResponseError, HttpResponseError)):
        clients.hdinsight.clusters.begin_create("rg", "ingest", cluster(), retry_total=0)
    cloud.heal()
    assert cloud.cluster("ingest") is not None
    assert len(cloud.created()) == 1


def test_time_can_be_stopped(cloud: FakeCloud, clients: Clients) -> None:
    clients.hdinsight.clusters.begin_create("rg", "ingest", cluster(), polling=False)
    cloud.freeze()
    before = clients.hdinsight.clusters.get("rg", "ingest").properties.cluster_state
    assert clients.hdinsight.clusters.get("rg", "ingest").properties.cluster_state == before
    cloud.thaw()
    while clients.hdinsight.clusters.get("rg", "ingest").properties.cluster_state != "Running":
        pass
