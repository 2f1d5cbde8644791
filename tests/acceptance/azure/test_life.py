"""A stack on Azure from nothing to nothing: plan, apply, look, change, scale, destroy."""

from __future__ import annotations

import json

import pytest

from tests.acceptance.azure.stacks import GROUP, settled, stack


@pytest.fixture
def made(azure_workspace, cloud):
    workspace = settled(azure_workspace, cloud)
    workspace.run("apply", "--yes").ok()
    return workspace


def test_a_saved_plan_is_applied_and_verified_and_then_there_is_nothing_to_do(azure_workspace, cloud):
    workspace = settled(azure_workspace, cloud)
    planned = workspace.run("plan", "--out", "plan.json")
    planned.failed(3, "+ cluster:ingest  kafka 3.2, 3 × Standard_E8_v3, 2 disks each", "what-if: 12 Create")
    workspace.run("apply", "plan.json").ok()
    assert workspace.run("plan", "--json").ok().json["plan"]["changes"] == []
    assert workspace.run("apply", "--json").ok().json["changed"] == 0
    assert len(cloud.created("Microsoft.HDInsight/clusters")) == 2
    assert cloud.duplicates() == []


def test_a_plan_that_no_longer_holds_is_refused(made):
    made.write(stack(jobs={"workers": {"count": 4}}))
    made.run("plan", "--out", "plan.json").failed(3)
    made.write(stack(jobs={"workers": {"count": 5}}))
    made.run("apply", "plan.json").failed(1, "the plan is stale", "cluster:jobs would change otherwise")


def test_status_shows_clusters_versions_endpoints_and_quota(made):
    told = made.run("status", "--json").ok().json
    ingest = next(cluster for cluster in told["clusters"] if cluster["cluster"] == "ingest")
    assert (ingest["state"], ingest["version"], ingest["component"], ingest["workers"]) == (
        "Running",
        "5.1.3000.0",
        "3.2",
        3,
    )
    assert set(ingest["endpoints"]) >= {"HTTPS", "SSH"}
    assert told["quota"]["westeurope"]["current"] == 2 * 4 + 3 * 8 + 2 * 8 + 3 * 8
    assert told["deployment"]["state"] == "Succeeded"


def test_what_has_an_api_changes_in_place(made, cloud):
    made.write(stack(ingest={"tags": {"owner": "ada"}}, jobs={"workers": {"count": 5}}))
    made.run("plan").failed(3, "~ cluster:ingest", "~ cluster:jobs", "workers.count: 3 → 5")
    made.run("apply", "--yes").ok()
    assert cloud.cluster("ingest-clicks").body["tags"]["owner"] == "ada"
    made.write(
        stack(ingest={"tags": {"owner": "ada"}}, jobs={"workers": {"count": 5}, "autoscale": {"min": 3, "max": 9}})
    )
    made.run("apply", "--yes").ok()
    made.run("plan").ok()
    assert cloud.duplicates() == []


def test_monitoring_is_switched_on_and_off(made, cloud):
    made.write({**stack(), "monitor": {"notify": ["oncall@example.com"]}})
    made.run("plan").failed(3, "monitoring: False → True")
    made.run("apply", "--yes").ok()
    made.run("plan").ok()
    made.write(stack())
    made.run("apply", "--yes").ok()
    made.run("plan").ok()


def test_refusals_are_shown_together_and_nothing_is_touched(made, cloud):
    before = len(cloud.ledger)
    made.write(stack(ingest={"workers": {"count": 3, "size": "Standard_E4_v3", "disks": 4}, "zone": "2"}))
    told = made.run("apply", "--yes").failed(1, "workers.disks: 2 → 4", "workers.size", "zone", "--replace ingest")
    assert "nothing was touched" in told.err
    assert len(cloud.ledger) == before


def test_replace_needs_its_name_and_says_what_is_lost(made, cloud):
    made.write(stack(ingest={"workers": {"count": 3, "size": "Standard_E4_v3", "disks": 2}}))
    made.run("plan", "--replace", "ingest").failed(3, "! cluster:ingest", "3 brokers × 2 of 1 TB")
    made.run("plan", "--replace", "ingets").failed(2, "did you mean `ingest`")
    made.run("apply", "--replace", "ingest").failed(1, "cannot be taken back", "give --yes")
    made.run("apply", "--replace", "ingest", "--yes").ok()
    made.run("plan").ok()


def test_drift_of_the_network_is_seen_and_mended(made, cloud):
    nsg = cloud.world.find(cloud.id(GROUP, "Microsoft.Network/networkSecurityGroups", "clicks-westeurope-ingest-nsg"))
    nsg.body["properties"]["securityRules"].clear()
    told = made.run("plan").failed(3, "~ resource:networkSecurityGroups/clicks-westeurope-ingest-nsg")
    assert "allow-hdinsight-management" in told.out
    made.run("apply", "--yes").ok()
    made.run("plan").ok()
    assert cloud.duplicates() == []


def test_destroy_takes_what_carries_the_tag_and_nothing_else(made, cloud):
    strange = cloud.id(GROUP, "Microsoft.Storage/storageAccounts", "someoneelses")
    cloud.resource(strange, {"location": "westeurope", "tags": {"hdictl-stack": "another"}, "properties": {}})
    refused = made.run("destroy").failed(1, "give --yes", "3 brokers × 2 of 1 TB", "checkpoints, job files")
    assert "deleted" not in refused.out
    assert made.run("destroy", "--yes", "--json").ok().json["deleted"] == 9
    assert cloud.cluster("ingest-clicks") is None
    assert cloud.world.find(strange) is not None
    made.run("destroy", "--yes").ok()
    made.run("status").failed(4, "absent")


def test_scale_refuses_before_anything_is_called(made, cloud):
    asked = len(cloud.requests)
    made.run("scale", "ingest", "2").failed(2, "Kafka cannot scale in")
    assert len(cloud.requests) == asked
    made.run("scale", "ingset", "5").failed(2, "did you mean `ingest`")
    made.write(stack(jobs={"autoscale": {"min": 3, "max": 6}}))
    made.run("scale", "jobs", "5").failed(2, "autoscale moves the workers")


def test_spark_scales_out_and_in(made, cloud):
    told = made.run("scale", "jobs", "6", "--json").ok().json
    assert (told["before"], told["after"], told["stated"]) == (3, 6, 3)
    assert made.run("scale", "jobs", "3").ok().out.startswith("✓ jobs-clicks has 3 workers")
    made.run("plan").ok()


def test_render_writes_what_apply_deploys(made, cloud):
    made.run("render", "--out", "arm").ok()
    template = json.loads((made.folder / "arm" / "group.template.json").read_text())
    assert len(template["resources"]) == 12


def test_who_leaves_the_admins_is_let_in_no_more(made, cloud):
    def admitting(*admins: str) -> dict:
        described = stack()
        described["network"]["westeurope"]["admins"] = list(admins)
        return described

    nsg = cloud.id(GROUP, "Microsoft.Network/networkSecurityGroups", "clicks-westeurope-ingest-nsg")
    for admins in (["203.0.113.7/32", "203.0.113.8/32"], ["203.0.113.7/32"], []):
        made.write(admitting(*admins))
        made.run("apply", "--yes").ok()
        made.run("plan").ok()
        rules = json.dumps(cloud.world.find(nsg).body["properties"]["securityRules"])
        assert [f"203.0.113.{last}/32" in rules for last in (7, 8)] == [
            f"203.0.113.{last}/32" in admins for last in (7, 8)
        ]
