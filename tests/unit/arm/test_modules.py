"""Every module is an ARM template that stands alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from hdictl import assets
from hdictl.arm.addresses import address
from hdictl.arm.evaluate import Scope, resolve
from hdictl.arm.expression import Access, Call, Expression, Literal, is_expression, parse
from hdictl.arm.modules import BadCall, module

NAMES = sorted(file.stem for file in assets.template("arm").glob("*.json"))
SUBNET = {
    "name": "ingest",
    "addressPrefix": "10.0.1.0/24",
    "securityGroup": "ingest-nsg",
    "inbound": True,
    "restProxy": True,
    "privateLink": False,
}
OF_TYPE: dict[str, Any] = {"string": "some-name", "securestring": "", "array": ["one"], "object": {}, "int": 3}


def values(name: str) -> dict[str, Any]:
    """What a module must be given, and no more."""
    declared = module(name).document["parameters"]
    needed = {key: OF_TYPE[said["type"].lower()] for key, said in declared.items() if "defaultValue" not in said}
    return {**needed, "subnets": [SUBNET]} if name == "network" else needed


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)
    elif isinstance(value, str):
        yield value


def calls(expression: Expression) -> Iterator[Call]:
    if isinstance(expression, Access):
        yield from calls(expression.of)
        yield from calls(expression.member)
    elif isinstance(expression, Call):
        yield expression
        for argument in expression.arguments:
            yield from calls(argument)


def called(value: Any) -> list[Call]:
    return [call for text in texts(value) if is_expression(text) for call in calls(parse(text))]


def named(document: Any, function: str) -> set[str]:
    arguments = [call.arguments[0] for call in called(document) if call.name == function]
    return {str(argument.value) for argument in arguments if isinstance(argument, Literal)}


@pytest.mark.parametrize("name", NAMES)
def test_it_is_a_template(name):
    document = module(name).document
    schema = "subscriptionDeploymentTemplate" if name == "group" else "deploymentTemplate"
    assert document["$schema"].endswith(f"/{schema}.json#")
    assert document["contentVersion"] == "1.0.0.0"
    assert document["metadata"]["description"]
    assert document["resources"]
    assert list(document["parameters"]), "a module without parameters always makes the same"


@pytest.mark.parametrize("name", NAMES)
def test_parameters_and_variables_are_declared_and_used(name):
    document = module(name).document
    assert named(document, "parameters") == set(document["parameters"])
    assert named(document, "variables") == set(document.get("variables", {}))


@pytest.mark.parametrize("name", NAMES)
def test_it_makes_something_of_the_least_that_it_needs(name):
    made = module(name).resources(values(name))
    assert made
    for resource in made:
        assert re.fullmatch(r"\d{4}-\d{2}-\d{2}(-preview)?", resource["apiVersion"])
        assert not is_expression(resource["name"])
        assert resource["type"].count("/") == resource["name"].count("/") + 1
        assert set(resource["dependsOn"]) <= {address(each) for each in made}


@pytest.mark.parametrize("name", NAMES)
def test_variables_can_be_worked_out_before_anything_else(name):
    """ARM works out all variables at once, also those that nobody then looks at, and before it can ask for anything."""
    document = module(name).document
    scope = module(name)._scope(values(name))
    for variable in document.get("variables", {}):
        resolve(f"[variables('{variable}')]", scope)
    assert not [call for call in called(document.get("variables", {})) if call.name == "reference"]


@pytest.mark.parametrize("name", NAMES)
def test_no_secret_has_a_default_or_leaves(name):
    document = module(name).document
    secure = {key for key, said in document["parameters"].items() if said["type"] == "secureString"}
    assert not [key for key in secure if "defaultValue" in document["parameters"][key]]
    assert secure.isdisjoint(named(document.get("outputs", {}), "parameters"))
    assert all("assword" not in key for key in set(document["parameters"]) - secure)


@pytest.mark.parametrize("name", NAMES)
def test_what_can_carry_tags_does(name):
    cannot = ("virtualNetworkPeerings", "roleAssignments", "containers", "accessPolicies", "privateDnsZoneGroups")
    for resource in module(name).document["resources"]:
        assert ("tags" in resource) is not resource["type"].endswith(cannot), resource["type"]


@pytest.mark.parametrize("name", NAMES)
def test_it_is_tidy(name):
    text = assets.template("arm", f"{name}.json").read_text(encoding="utf-8")
    assert text.endswith("}\n")
    assert "\t" not in text
    assert json.loads(text) == module(name).document


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"vault": "v"}, "needs a value for `identities`"),
        ({"vault": "v", "identities": "one"}, "`identities` takes array, not 'one'"),
        ({"vault": "v", "identities": [], "valt": "v"}, "has no parameter `valt`"),
    ],
)
def test_a_wrong_call_is_a_bug_with_a_name(given, said):
    with pytest.raises(BadCall, match=re.escape(said)):
        module("keyvault-access").resources(given)


def test_a_value_that_is_not_allowed_is_refused():
    with pytest.raises(BadCall, match="cannot be 'RAID'"):
        module("storage").resources({"account": "abc", "fileSystems": [], "replication": "RAID"})


def test_a_number_is_no_answer_to_a_question():
    with pytest.raises(BadCall, match="`workers` takes int, not True"):
        module("kafka").resources({**values("kafka"), "workers": True})


def test_nothing_is_known_of_the_place():
    """Alone, a module goes into any group: its default region is that group's."""
    (workspace,) = module("workspace").resources({"workspace": "logs"})
    assert workspace["location"] == "[resourceGroup().location]"
    assert resolve(workspace["location"], Scope()) == "[resourceGroup().location]"
