"""Other resources: everything that is said must be there; what is there beyond that is the service's own."""

from __future__ import annotations

import copy
import json
import re

import pytest

from hdictl import assets
from hdictl.plan.change import Action
from hdictl.plan.cloud import CloudResource
from hdictl.plan.resources import OWN_RULES, compare_resource, taken_away

NSG = {
    "id": "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/networkSecurityGroups/n",
    "type": "Microsoft.Network/networkSecurityGroups",
    "apiVersion": "2024-05-01",
    "name": "n",
    "location": "westeurope",
    "tags": {"hdictl-stack": "s"},
    "dependsOn": ["x"],
    "properties": {
        "securityRules": [
            {"name": "a", "properties": {"priority": 300, "destinationPortRanges": ["53", "443"], "access": "Allow"}},
            {"name": "b", "properties": {"priority": 310, "destinationPortRange": "22", "access": "Allow"}},
        ]
    },
}


def living(change=lambda body: None) -> CloudResource:
    """As Azure returns it: other case, ids, states, more of everything, in another order."""
    body = copy.deepcopy({key: NSG[key] for key in ("location", "tags", "properties")})
    body["location"] = "West Europe"
    body["tags"]["policy"] = "x"
    rules = body["properties"]["securityRules"]
    for rule in rules:
        rule.update({"id": f"/subscriptions/S/{rule['name']}", "etag": "W/1"})
        rule["properties"]["provisioningState"] = "Succeeded"
    rules[0]["properties"]["destinationPortRanges"] = ["443", "53"]
    rules[1]["properties"]["destinationPortRange"] = 22
    rules[1]["properties"]["access"] = "allow"
    rules.reverse()
    body["properties"]["defaultSecurityRules"] = [{"name": "DenyAllInBound"}]
    change(body)
    return CloudResource(NSG["id"], NSG["type"], "n", body=body)


def test_what_comes_back_is_no_difference():
    assert compare_resource(NSG, living()) is None


def test_a_missing_one_is_created():
    change = compare_resource(NSG, None)
    assert (change.action, change.address) == (Action.CREATE, "resource:networkSecurityGroups/n")


DRIFT = {
    "properties.securityRules[a].properties.priority": lambda body: body["properties"]["securityRules"][1][
        "properties"
    ].update(priority=301),
    "properties.securityRules[b]": lambda body: body["properties"]["securityRules"].pop(0),
    "tags.hdictl-stack": lambda body: body["tags"].pop("hdictl-stack"),
    "location": lambda body: body.update(location="North Europe"),
    "properties.securityRules[a].properties.destinationPortRanges[0]": lambda body: body["properties"]["securityRules"][
        1
    ]["properties"].update(destinationPortRanges=["443"]),
    "properties": lambda body: body.update(properties=None),
}


@pytest.mark.parametrize("path", DRIFT)
def test_drift_is_found_at_its_place(path):
    change = compare_resource(NSG, living(DRIFT[path]))
    assert change.action is Action.UPDATE
    assert [field.field for field in change.fields] == [path]


def test_what_only_the_deployment_knows_is_not_compared():
    wanted = {**NSG, "properties": {"principalId": "[reference('x').principalId]", "role": "r"}}
    seen = CloudResource(NSG["id"], NSG["type"], "n", body={**living().body, "properties": {"role": "R"}})
    assert compare_resource(wanted, seen) is None


def test_an_action_in_the_form_of_a_resource_is_not_compared():
    policy = {"type": "Microsoft.KeyVault/vaults/accessPolicies", "name": "kv/add", "properties": {}}
    assert compare_resource(policy, None) is None


def test_what_a_deployment_would_take_away_is_named():
    with_more = living(lambda body: body["properties"]["securityRules"].append({"name": "by-hand"}))
    assert taken_away(NSG, with_more) == ("by-hand",)
    assert taken_away(NSG, living()) == ()
    assert taken_away(NSG, None) == ()
    # Other resources keep what is not said of them.
    assert taken_away({**NSG, "type": "Microsoft.Storage/storageAccounts"}, with_more) == ()


def test_an_address_that_left_the_stack_is_a_difference():
    seen = living(
        lambda body: body["properties"]["securityRules"][1]["properties"].update(
            destinationPortRanges=["53", "443", "22"]
        )
    )
    (field,) = compare_resource(NSG, seen).fields
    assert (field.field, field.before, field.after) == (
        "properties.securityRules[a].properties.destinationPortRanges[22]",
        "22",
        None,
    )


def test_a_rule_of_ours_that_left_the_stack_is_taken_away_and_one_of_others_is_not():
    def more(body):
        body["properties"]["securityRules"] += [{"name": "allow-admins", "properties": {}}, {"name": "theirs"}]

    (field,) = compare_resource(NSG, living(more)).fields
    assert (field.field, field.before) == ("properties.securityRules[allow-admins]", "(there)")


def test_the_names_of_our_rules_are_those_of_the_module():
    module = json.loads(assets.template("arm").joinpath("network.json").read_text())
    rules = module["variables"]
    assert set(re.findall(r'"name": "(allow-[a-z-]+)"', json.dumps(rules))) == OWN_RULES
