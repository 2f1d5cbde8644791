"""The faults that public scanners let pass, planted one by one in a template that hdictl rendered."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from hdictl.arm.lint import lint_text
from tests.unit.arm_schema.examples import deployments

Template = dict[str, Any]


@pytest.fixture
def template() -> Template:
    """A fresh copy of what the example stack becomes."""
    found: Template = json.loads(deployments("stacks/clickstream")[1][1])
    return found


def _first(template: Template, kind: str) -> Any:
    return next(one for one in template["resources"] if one["type"] == kind)


def _kafka(template: Template) -> Any:
    clusters = [one for one in template["resources"] if one["type"] == "Microsoft.HDInsight/clusters"]
    return next(one["properties"] for one in clusters if one["properties"]["clusterDefinition"]["kind"] == "KAFKA")


def _set(holder: Any, **values: Any) -> None:
    holder.update(values)


FAULTS: dict[str, tuple[str, Callable[[Template], Any]]] = {
    "kind": ("X104", lambda t: _set(_kafka(t)["clusterDefinition"], kind="kakfa")),
    "version": ("X103", lambda t: _set(_kafka(t), clusterVersion="9.9")),
    "size": ("X114", lambda t: _set(_kafka(t)["computeProfile"]["roles"][1]["hardwareProfile"], vmSize="Huge")),
    "no zookeeper": ("X110", lambda t: _kafka(t)["computeProfile"]["roles"].pop()),
    "absent subnet": (
        "X060",
        lambda t: _first(t, "Microsoft.Network/virtualNetworks")["properties"]["subnets"][0].update(name="other"),
    ),
    "absent dependency": (
        "X040",
        lambda t: _first(t, "Microsoft.HDInsight/clusters")["dependsOn"].append(
            "[resourceId('Microsoft.Network/virtualNetworks', 'absent')]"
        ),
    ),
    "priority": (
        "X070",
        lambda t: _first(t, "Microsoft.Network/networkSecurityGroups")["properties"]["securityRules"][0][
            "properties"
        ].update(priority=5000),
    ),
    "secure default": (
        "X020",
        lambda t: _set(t["parameters"], gatewayPassword={"type": "securestring", "defaultValue": "Hunter2!"}),
    ),
    "literal secret": (
        "X030",
        lambda t: _kafka(t)["clusterDefinition"]["configurations"]["gateway"].update(
            {"restAuthCredential.password": "Hunter2!"}
        ),
    ),
    "leaking output": (
        "X031",
        lambda t: _set(t.setdefault("outputs", {}), p={"type": "string", "value": "[parameters('gatewayPassword')]"}),
    ),
    "undeclared parameter": ("X012", lambda t: _kafka(t).update(tier="[parameters('tier')]")),
    "unbalanced expression": ("X010", lambda t: _kafka(t).update(tier="[concat('Stan', 'dard']")),
    "public blobs": (
        "X080",
        lambda t: _first(t, "Microsoft.Storage/storageAccounts")["properties"].update(allowBlobPublicAccess=True),
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_found(fault, template):
    rule, plant = FAULTS[fault]
    assert lint_text(json.dumps(template, indent=2)) == ()
    plant(template)
    text = json.dumps(template, indent=2)
    found = [finding for finding in lint_text(text) if finding.rule == rule]
    assert found, f"{rule} is silent"
    assert all(1 < finding.mark.line <= len(text.splitlines()) for finding in found)
    assert "Hunter2!" not in repr(found)


@pytest.mark.parametrize("fault", FAULTS)
def test_the_command_finds_it(fault, template, workspace):
    rule, plant = FAULTS[fault]
    plant(template)
    (workspace.folder / "template.json").write_text(json.dumps(template, indent=2))
    told = workspace.run("check", "--template", "template.json", "--json").failed(4)
    assert rule in {finding["rule"] for finding in told.json["findings"]}
