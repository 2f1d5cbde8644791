"""Clusters: what is returned is no drift; what differs is in place, a replacement, or refused."""

from __future__ import annotations

import pytest

from hdictl.plan.change import Action, Comparison
from hdictl.plan.cluster_fields import cluster_fields
from hdictl.plan.cluster_rules import CLUSTER_RULES
from hdictl.plan.clusters import compare_cluster
from tests.unit.cloud.bodies import desired, returned, stack


def compared(wanted, living, key="ingest", *, may_replace=False, monitoring=False) -> Comparison:
    fields = {**cluster_fields(desired(wanted, key)), "monitoring": False}
    return compare_cluster(key, fields, living, monitoring=monitoring, may_replace=may_replace)


@pytest.mark.parametrize("key", ["ingest", "jobs"])
def test_what_the_service_returns_of_what_it_was_sent_is_no_difference(key):
    wanted = stack()
    assert compared(wanted, returned(desired(wanted, key)), key) == Comparison()


def test_roles_and_tags_that_nobody_asked_for_are_no_difference():
    wanted = stack()
    living = desired(wanted, "jobs")
    living["tags"] = {**living["tags"], "cost-centre": "42"}  # by a policy
    assert compared(wanted, returned(living), "jobs") == Comparison()


def test_a_missing_cluster_is_created_and_the_plan_says_what_it_is():
    (change,) = compared(stack(), None).changes
    assert (change.action, change.address) == (Action.CREATE, "cluster:ingest")
    assert {field.field: field.after for field in change.fields}["workers.count"] == 4


def test_nothing_is_planned_for_a_cluster_that_is_being_deleted():
    wanted = stack()
    living = returned(desired(wanted), state="Deleting", provisioning="Deleting")
    found = compared(wanted, living, may_replace=True)
    assert found.changes == ()
    assert [refusal.what for refusal in found.refusals] == ["the cluster is being deleted"]


IN_PLACE = {
    "workers.count": ("ingest", {"ingest__workers__count": 6}),
    "autoscale": ("jobs", {"jobs__autoscale": {"min": 4, "max": 8}}),
    "tags": ("ingest", {"ingest__tags": {"owner": "ada"}}),
    "encryption.key.version": (
        "ingest",
        {"ingest__encryption": {"key": {"keyvault": "kv-clicks", "name": "kafka", "version": "2" * 32}}},
    ),
}


@pytest.mark.parametrize("field", IN_PLACE)
def test_in_place(field):
    key, change = IN_PLACE[field]
    before = {"ingest__encryption": {"key": {"keyvault": "kv-clicks", "name": "kafka", "version": "1" * 32}}}
    living = returned(desired(stack(**(before if "key" in field else {})), key))
    (found,) = compared(stack(**change), living, key).changes
    assert found.action is Action.UPDATE
    assert [each.field for each in found.fields] == [field]


def test_monitoring_is_in_place():
    wanted = stack()
    (found,) = compared(wanted, returned(desired(wanted)), monitoring=True).changes
    assert [(each.field, each.before, each.after) for each in found.fields] == [("monitoring", True, False)]


FIXED = {
    "workers.size": {"ingest__workers__size": "Standard_E4_v3"},
    "head.size": {"ingest__head": {"size": "Standard_E8_v3"}},
    "zookeeper.size": {"ingest__zookeeper": {"size": "Standard_A8_v2"}},
    "zone": {"ingest__zone": "2"},
    "subnet": {"ingest__subnet": "jobs"},
    "network.connection": {"ingest__network": {"connection": "outbound"}},
    "encryption.in_transit": {"ingest__encryption": {"in_transit": True}},
    "encryption.at_host": {"ingest__encryption": {"at_host": True}},
    "rest_proxy": {"ingest__rest_proxy": {"group": "g", "group_id": "0b1f6471-1bf0-4dda-aec3-cb9272f09591"}},
}


@pytest.mark.parametrize("field", FIXED)
def test_what_is_fixed_at_creation_needs_a_replacement_by_name(field):
    living = returned(desired(stack()))
    wanted = stack(**FIXED[field])
    refused = compared(wanted, living)
    assert refused.changes == ()
    said = next(refusal for refusal in refused.refusals if refusal.what.startswith(f"{field}:"))
    assert "--replace ingest" in said.fix
    (change,) = compared(wanted, living, may_replace=True).changes
    assert change.action is Action.REPLACE
    assert change.is_irreversible
    assert "4 brokers × 2 of 1 TB" in change.notes[0]


REFUSED = {
    "workers.count": {"ingest__workers__count": 3},
    "workers.disks": {"ingest__workers__disks": 4},
    "encryption.key": {"ingest__encryption": {"key": {"keyvault": "kv-clicks", "name": "kafka", "version": "1" * 32}}},
}


@pytest.mark.parametrize("field", REFUSED)
@pytest.mark.parametrize("may_replace", [False, True])
def test_what_loses_too_much_is_refused_even_so(field, may_replace):
    found = compared(stack(**REFUSED[field]), returned(desired(stack())), may_replace=may_replace)
    assert found.changes == ()
    assert any(refusal.what.startswith(f"{field}:") for refusal in found.refusals)


def test_spark_scales_in():
    wanted, living = stack(jobs__autoscale=None, jobs__workers={"count": 2}), stack(jobs__autoscale=None)
    (change,) = compared(wanted, returned(desired(living, "jobs")), "jobs").changes
    assert [(field.before, field.after) for field in change.fields] == [(3, 2)]


def test_autoscale_moves_the_count_and_that_is_no_difference():
    wanted = stack()
    living = desired(wanted, "jobs")
    worker = next(role for role in living["properties"]["computeProfile"]["roles"] if role["name"] == "workernode")
    worker["targetInstanceCount"] = 5
    assert compared(wanted, returned(living), "jobs") == Comparison()


def test_a_cluster_at_work_is_said_and_a_failed_one_is_refused_unless_named():
    wanted = stack()
    busy = compared(wanted, returned(desired(wanted), state="AzureVMConfiguration", provisioning="InProgress"))
    assert busy.changes == () and "at work" in busy.notes[0]
    living = desired(wanted)
    living["properties"]["errors"] = [{"code": "CustomizationFailedErrorCode", "message": "script failed"}]
    failed = returned(living, state="Error", provisioning="Failed")
    (refusal,) = compared(wanted, failed).refusals
    assert "CustomizationFailedErrorCode: script failed" in refusal.what
    assert "--replace ingest" in refusal.fix
    (change,) = compared(wanted, failed, may_replace=True).changes
    assert change.action is Action.REPLACE


def test_every_rule_says_why_and_where_that_is_known_from():
    for name, rule in CLUSTER_RULES.items():
        assert rule.reason and rule.source, name
    assert set(CLUSTER_RULES) >= set(cluster_fields(desired(stack())))
