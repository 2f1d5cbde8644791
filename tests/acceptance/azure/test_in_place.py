"""What changes on a living cluster without a new one: each change by `hdictl`, seen in the cloud, and then there is
nothing left to do.

All tests share one stack. Each leaves it as it found it, which is a change in place as well.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.acceptance.azure.stacks import GROUP, PASSWORD, VAULT, settled, stack
from tests.fakes.azure import FakeCloud, operator
from tests.fakes.azure.hdinsight.cluster import role_of
from tests.workspace import Outcome, Workspace

FIRST_KEY, SECOND_KEY = "3f1c0a9be7d24d5f8a6b0c1d2e3f4a5b", "8d7c6b5a49382716f5e4d3c2b1a09f8e"
ADA = {"object_id": "7c9e6679-7425-40de-944b-e07fc1f90ae7", "upn": "ada@example.com"}
GRACE = {"object_id": "9b2d7c1e-3f4a-4b5c-8d6e-7f8091a2b3c4", "upn": "grace@example.com"}
WORKSPACES = "Microsoft.OperationalInsights/workspaces"


def base() -> dict[str, Any]:
    described = stack(ingest={"encryption": {"key": {"keyvault": VAULT, "name": "kafka", "version": FIRST_KEY}}})
    described["network"]["westeurope"]["subnets"]["lab"] = "10.20.3.0/24"
    described["clusters"]["lab"] = {"kind": "spark", "workers": {"count": 3}, "entra_users": {"ada": ADA}}
    return described


@dataclass(frozen=True)
class Living:
    """A stack that is there."""

    workspace: Workspace
    cloud: FakeCloud

    def becomes(self, described: dict[str, Any]) -> Outcome:
        """It is planned, applied, and done with."""
        self.workspace.write(described)
        before = len(self.cloud.created())
        applied = self.workspace.run("apply", "--yes").ok()
        self.workspace.run("plan").ok()
        made = [id for id in self.cloud.created()[before:] if "/Microsoft.HDInsight/" in id]
        assert made == [], "a cluster was made anew"
        return applied

    def properties(self, name: str) -> dict[str, Any]:
        found = self.cloud.cluster(name)
        assert found is not None
        assert found.properties["clusterState"] == "Running"
        return found.properties

    def workers(self, name: str) -> dict[str, Any]:
        found = self.cloud.cluster(name)
        assert found is not None
        return role_of(found, "workernode")


@pytest.fixture(scope="module")
def living(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Living]:
    with FakeCloud(pace=0.02) as cloud:
        operator.vault(cloud, GROUP, VAULT, {"gateway": PASSWORD})
        workspace = Workspace(tmp_path_factory.mktemp("in-place"), "azure", cloud.environ())
        settled(workspace, cloud, base())
        workspace.run("apply", "--yes").ok()
        yield Living(workspace, cloud)
    assert cloud.duplicates() == []
    assert not cloud.violations, "\n".join(cloud.violations)


def test_a_key_is_rotated(living: Living):
    rotated = base()
    rotated["clusters"]["ingest"]["encryption"]["key"]["version"] = SECOND_KEY
    told = living.becomes(rotated)
    assert f"encryption.key.version: {FIRST_KEY} → {SECOND_KEY}" in told.out
    key = living.properties("ingest-clicks")["diskEncryptionProperties"]
    assert (key["keyName"], key["keyVersion"]) == ("kafka", SECOND_KEY)
    # A stack that leaves the version open is content with whatever there is.
    del rotated["clusters"]["ingest"]["encryption"]["key"]["version"]
    living.workspace.write(rotated)
    living.workspace.run("plan").ok()
    living.becomes(base())
    assert living.properties("ingest-clicks")["diskEncryptionProperties"]["keyVersion"] == FIRST_KEY


def test_autoscale_by_load_by_schedule_and_not_at_all(living: Living):
    described = base()
    jobs = described["clusters"]["jobs"]
    jobs["autoscale"] = {"min": 3, "max": 9}
    living.becomes(described)
    assert living.workers("jobs-clicks")["autoscale"] == {"capacity": {"minInstanceCount": 3, "maxInstanceCount": 9}}
    # By now it has more workers than the stack says: that is autoscale's business.
    living.workers("jobs-clicks")["targetInstanceCount"] = 7
    living.workspace.run("plan").ok()

    nights = {"days": ["Monday", "Friday"], "at": "20:00", "workers": 8}
    jobs["autoscale"] = {"min": 3, "max": 9, "timezone": "W. Europe Standard Time", "schedule": {"nights": nights}}
    living.becomes(described)
    recurrence = living.workers("jobs-clicks")["autoscale"]["recurrence"]
    assert recurrence["timeZone"] == "W. Europe Standard Time"
    assert [(entry["days"], entry["timeAndCapacity"]["time"]) for entry in recurrence["schedule"]] == [
        (["Monday", "Friday"], "20:00")
    ]

    # Off again: what it has moved goes back to what the stack says.
    told = living.becomes(base())
    assert "workers.count: 7 → 3" in told.out
    assert "autoscale" not in living.workers("jobs-clicks")
    assert living.workers("jobs-clicks")["targetInstanceCount"] == 3


def test_tags_of_the_stack_and_of_a_cluster(living: Living):
    strange = living.cloud.cluster("jobs-clicks")
    assert strange is not None
    strange.body["tags"]["put-there-by"] = "somebody else"
    described = base()
    described["azure"]["tags"]["team"] = "platform"
    described["clusters"]["jobs"]["tags"] = {"tier": "gold"}
    living.becomes(described)
    tags = {name: living.cloud.cluster(name).body["tags"] for name in ("ingest-clicks", "jobs-clicks")}
    assert tags["ingest-clicks"] == {"team": "platform", "hdictl-stack": "clicks"}
    assert tags["jobs-clicks"] == {**tags["ingest-clicks"], "tier": "gold", "put-there-by": "somebody else"}
    vnet = living.cloud.world.find(
        living.cloud.id(GROUP, "Microsoft.Network/virtualNetworks", "clicks-westeurope-vnet")
    )
    assert vnet.body["tags"]["team"] == "platform"
    living.becomes(base())
    assert living.cloud.cluster("ingest-clicks").body["tags"]["team"] == "data"


def test_a_password_that_changed_in_the_vault_is_sent(living: Living):
    living.workspace.write(base())
    living.cloud.secret(VAULT, "gateway", "Another-Pa55word!", group=GROUP)
    living.workspace.run("plan").ok()  # nobody can see it
    living.workspace.run("gateway", "ingest").failed(1, "give --yes")
    assert living.workspace.run("gateway", "ingest", "--yes", "--json").ok().json["users"] == ["admin"]
    assert living.cloud.gateway_takes("ingest-clicks", "admin", "Another-Pa55word!")
    assert living.cloud.gateway_takes("jobs-clicks", "admin", PASSWORD)  # the others have to be told as well
    living.workspace.run("plan").ok()


def test_entra_users_come_and_go(living: Living):
    described = base()
    described["clusters"]["lab"]["entra_users"] = {"grace": GRACE}
    living.workspace.write(described)
    assert living.workspace.run("gateway", "lab", "--yes", "--json").ok().json["users"] == ["grace"]
    users = living.properties("lab-clicks")["_gateway"]["entraUsers"]
    assert users == [{"objectId": GRACE["object_id"], "displayName": "grace", "upn": GRACE["upn"]}]
    living.workspace.run("plan").ok()


def test_a_script_is_run_and_kept_for_nodes_that_come(living: Living):
    living.workspace.write(base())
    uri = "https://example.com/tune.sh"
    run = ("script", "run", "jobs", "tune", "--uri", uri, "--on", "worker", "--persist", "--yes")
    living.workspace.run(*run).ok()
    assert [(kept["name"], kept["uri"], kept["roles"]) for kept in living.properties("jobs-clicks")["_scripts"]] == [
        ("tune", uri, ["workernode"])
    ]
    assert living.workspace.run("script", "output", "jobs").ok().out.count("tune ran") == 3
    living.workspace.run(*run).failed(1, "tune", "exists already")
    living.workspace.run("plan").ok()


def test_spark_workers_are_added_and_given_back(living: Living):
    described = base()
    for count in (5, 3):
        described["clusters"]["jobs"]["workers"]["count"] = count
        living.becomes(described)
        hosts = living.properties("jobs-clicks")["_hosts"]
        assert len([host for host in hosts if host.startswith("wn")]) == count


def test_monitoring_goes_to_another_workspace_and_off(living: Living):
    def sends_to() -> dict[str, str | None]:
        clusters = ("ingest-clicks", "jobs-clicks", "lab-clicks")
        agents = {name: living.properties(name).get("_extensions", {}).get("azuremonitoragent") for name in clusters}
        return {name: agent and agent["workspaceId"] for name, agent in agents.items()}

    def guid_of(workspace: str) -> str:
        found = living.cloud.world.find(living.cloud.id(GROUP, WORKSPACES, workspace))
        assert found is not None
        return str(found.properties["customerId"])

    described = {**copy.deepcopy(base()), "monitor": {"alerts": "none"}}
    living.becomes(described)
    assert set(sends_to().values()) == {guid_of("clicks-westeurope-logs")}

    described["monitor"]["workspace"] = "logs-of-all"
    living.workspace.write(described)
    living.workspace.run("plan").failed(
        1, "there is no Log Analytics workspace `logs-of-all`", "monitor.workspace: new"
    )
    living.cloud.resource(living.cloud.id(GROUP, WORKSPACES, "logs-of-all"), {"location": "westeurope"})
    told = living.becomes(described)
    assert f"monitoring: to workspace {guid_of('clicks-westeurope-logs')} → True" in told.out
    assert set(sends_to().values()) == {guid_of("logs-of-all")}

    living.becomes(base())
    assert set(sends_to().values()) == {None}
