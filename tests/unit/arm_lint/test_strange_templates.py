"""Templates that hdictl would never write: the lint judges what it can, and never falls over."""

from __future__ import annotations

import copy
import json
import random

import pytest

from hdictl.arm.evaluate import Place
from hdictl.arm.lint import lint_text
from hdictl.arm.lint.fields import walk
from tests.unit.arm_lint.good import good

PLACE = Place("0b1f6471-1bf0-4dda-aec3-cb9272f09590", "rg-demo", "westeurope")
JUNK = (None, True, -1, 1.5, "", "[", "[]", "[parameters()]", "[if(true(),1)]", "[resourceId('a')]", [], {}, [[None]],
        {"copy": [{}]}, {"copy": 3}, "[variables(variables('storage'))]", "[copyIndex('x')]", "x" * 9999)  # fmt: skip


def _rules(template, **options) -> list[str]:
    return [finding.rule for finding in lint_text(json.dumps(template), **options)]


@pytest.mark.parametrize("seed", range(150))
def test_junk_anywhere_is_survived(seed):
    chance = random.Random(seed)
    template = good()
    for _ in range(chance.randint(1, 4)):
        path, _ = chance.choice([one for one in walk(template, ()) if one[0]])
        holder = template
        for step in path[:-1]:
            holder = holder[step]
        holder[path[-1]] = copy.deepcopy(chance.choice(JUNK))
    for finding in lint_text(json.dumps(template)):
        assert finding.message and finding.fix
        assert not any("\ue000" <= sign <= "\ue003" for sign in str(finding))


@pytest.mark.parametrize("junk", [{}, {"resources": 3}, {"resources": [1, None]}, {"resources": {"a": []}},
                                  {"parameters": [], "variables": "", "outputs": 1, "resources": []}])  # fmt: skip
def test_hardly_a_template(junk):
    assert "X003" in _rules(junk)


def test_expressions_are_not_judged_where_nothing_is_known():
    template = good()
    for name in ("kind", "version", "size", "count", "subnet", "prefix", "priority"):
        template["parameters"][name] = {"type": "string"}
    cluster = template["resources"][11]["properties"]
    cluster["clusterDefinition"]["kind"] = "[parameters('kind')]"
    cluster["clusterVersion"] = "[parameters('version')]"
    worker = cluster["computeProfile"]["roles"][1]
    worker["hardwareProfile"]["vmSize"] = "[parameters('size')]"
    worker["targetInstanceCount"] = "[parameters('count')]"
    worker["virtualNetworkProfile"]["subnet"] = "[parameters('subnet')]"
    template["resources"][3]["properties"]["subnets"][0]["properties"]["addressPrefix"] = "[parameters('prefix')]"
    rule = template["resources"][2]["properties"]["securityRules"][0]
    rule["properties"]["priority"] = "[parameters('priority')]"
    assert _rules(template) == []


def test_a_value_that_a_parameter_brings_is_judged():
    template = good()
    template["parameters"]["size"] = {"type": "string"}
    template["resources"][11]["properties"]["computeProfile"]["roles"][1]["hardwareProfile"]["vmSize"] = (
        "[parameters('SIZE')]"
    )
    assert _rules(template, parameters={"size": {"value": "Standard_Nonsense"}}) == ["X114"]


def test_a_network_that_lies_elsewhere_is_taken_as_it_is():
    template = good()
    elsewhere = "/subscriptions/s/resourceGroups/rg-net/providers/Microsoft.Network/virtualNetworks/corp"
    for role in template["resources"][11]["properties"]["computeProfile"]["roles"]:
        role["virtualNetworkProfile"] = {"id": elsewhere, "subnet": f"{elsewhere}/subnets/kafka"}
    assert _rules(template) == []


def test_ids_written_out_are_known_when_the_place_is():
    template = good()
    subnet = f"{PLACE.group_id}/providers/Microsoft.Network/virtualNetworks/demo-vnet/subnets/nowhere"
    worker = template["resources"][11]["properties"]["computeProfile"]["roles"][1]
    worker["virtualNetworkProfile"] = {"id": subnet.partition("/subnets")[0], "subnet": subnet}
    assert _rules(template, place=PLACE) == ["X060"]


def test_resources_as_an_object_with_symbols():
    template = good()
    names = [f"one{index}" for index in range(len(template["resources"]))]
    template["resources"] = dict(zip(names, template["resources"], strict=True))
    template["languageVersion"] = "2.0"
    template["resources"]["one11"]["dependsOn"].append("one4")
    assert _rules(template) == []
    template["resources"]["one11"]["dependsOn"].append("one44")
    assert _rules(template) == ["X040"]


def test_a_resource_inside_another_is_seen():
    template = good()
    template["resources"][7]["resources"] = [
        {"type": "blobServices/containers", "apiVersion": "2023-05-01", "name": "default/logs",
         "dependsOn": ["[variables('storage')]"], "properties": {"publicAccess": "Blob"}}]  # fmt: skip
    [found] = lint_text(json.dumps(template))
    assert (found.rule, found.address) == ("X080", "resources[7].resources[0].properties.publicAccess")


def test_a_nested_template_is_judged_by_itself():
    template = good()
    inner = template["resources"][13]["properties"]["template"]
    inner["resources"][0]["dependsOn"] = ["kafka-demo"]
    [found] = lint_text(json.dumps(template))
    assert (found.rule, found.address) == (
        "X040",
        "resources[13].properties.template.resources[0].dependsOn[0]",
    )


def test_what_a_condition_switches_off_is_not_judged():
    template = good()
    template["resources"][11]["properties"]["clusterVersion"] = "4.0"
    template["resources"][11]["condition"] = "[equals(parameters('location'), 'nowhere')]"
    assert _rules(template) == []


def test_functions_of_the_template_and_safe_access():
    template = good()
    template["functions"] = [{"namespace": "demo", "members": {"name": {"output": {"type": "string", "value": "x"}}}}]
    template["outputs"]["a"] = {"type": "string", "value": "[demo.name('x')]"}
    template["outputs"]["b"] = {"type": "string", "value": "[reference('kafka-demo').?properties[?'tier']]"}
    assert _rules(template) == []


def test_a_loop_of_nothing_may_be_depended_on():
    template = good()
    template["variables"]["fileSystems"] = []
    assert _rules(template) == []


def test_a_parent_that_names_its_child_is_not_asked_to_wait_for_it():
    template = good()
    peering = "[resourceId('Microsoft.Network/virtualNetworks/virtualNetworkPeerings', 'far-vnet', 'to-demo')]"
    template["resources"][4]["properties"]["note"] = peering
    assert _rules(template) == []


def test_nested_templates_of_the_newer_language_have_a_scope_of_their_own():
    template = good()
    template["languageVersion"] = "2.0"
    del template["resources"][13]["properties"]["expressionEvaluationOptions"]
    assert _rules(template) == []
    del template["languageVersion"]
    assert _rules(template) == ["X012", "X030"]  # what is not declared is not secure


def test_text_that_doubles_and_variables_that_go_in_circles_are_survived():
    template = good()
    for number in range(60):
        twice = f"[concat(variables('v{number}'), variables('v{number}'))]"
        template["variables"][f"v{number + 1}"] = twice
    template["variables"] |= {"v0": "0123456789", "a": "[variables('b')]", "b": "[concat('x', variables('a'))]"}
    template["outputs"]["a"] = {"type": "string", "value": "[concat(variables('v60'), variables('a'))]"}
    assert _rules(template) == []


def test_whether_a_secret_is_empty_is_none():
    template = good()
    template["outputs"]["a"] = {"type": "bool", "value": "[empty(parameters('gatewayPassword'))]"}
    assert _rules(template) == []
