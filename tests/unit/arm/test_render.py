"""The whole: two deployments, the same bytes every time, nothing secret in them."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from hdictl.arm.addresses import address
from hdictl.arm.deployment import Deployment, DeploymentScope
from hdictl.arm.files import az_commands, file_texts
from hdictl.arm.render import render
from hdictl.arm.resolved import resolved_resources
from hdictl.arm.sound import refuse_unsound
from hdictl.drivers.ssh_key import public_key
from hdictl.errors import TemplateInvalid
from hdictl.stack.load import load
from hdictl.stack.model import Stack
from hdictl.stack.source import read
from tests.bench.render_six import STACK as SIX
from tests.unit.arm.samples import PLACE, PUBLIC_KEY, SUBSCRIPTION, everything, kafka, names_of, rendered, small

GOLDEN = Path(__file__).parent / "golden"
ROOT = Path(__file__).parents[3]
CLUSTER = "Microsoft.HDInsight/clusters"


EXAMPLES = {
    file.stem: file
    for file in (SIX, *(ROOT / "tests/invariants/stacks").glob("*.yaml"))
    if "\nazure:" in file.read_text(encoding="utf-8")
}


def opened(file: Path) -> Stack:
    stack = load(file, target="azure", environ={"AZURE_SUBSCRIPTION_ID": SUBSCRIPTION}).stack
    assert stack is not None
    return stack


@pytest.fixture(scope="module")
def six() -> Stack:
    return opened(SIX)


@pytest.fixture(scope="module", params=sorted(EXAMPLES))
def deployment(request) -> Deployment:
    """Of every example that lives on Azure."""
    return render(opened(EXAMPLES[request.param]), public_key=PUBLIC_KEY).group


@pytest.mark.parametrize(
    "name", [f"{scope}.{what}.json" for scope in ("subscription", "group") for what in ("template", "parameters")]
)
def test_files_are_those_that_were_reviewed(name):
    """When a change is meant: `hdictl render --stack tests/unit/arm/golden/stack.yaml --out tests/unit/arm/golden`."""
    stack = load(GOLDEN / "stack.yaml", target="azure", environ={}).stack
    assert stack is not None
    texts = file_texts(render(stack, public_key=public_key(stack, GOLDEN)))
    assert texts[name] == (GOLDEN / name).read_text(encoding="utf-8")


def test_the_order_of_the_stack_file_does_not_matter(six):
    """Maps have no order, so an overlay or a formatter must not make another deployment of the same stack."""
    written = read(SIX.read_text().replace("${AZURE_SUBSCRIPTION_ID}", SUBSCRIPTION), "six").data
    shuffled = Stack.model_validate(_shuffled(written, random.Random(7)))
    assert list(shuffled.clusters) != list(six.clusters)
    assert file_texts(render(shuffled)) == file_texts(render(six))
    assert render(shuffled).group.name == render(six).group.name


def _shuffled(value, chance):
    if not isinstance(value, dict):
        return value
    keys = list(value)
    chance.shuffle(keys)
    return {key: _shuffled(value[key], chance) for key in keys}


def test_everything_that_is_named_is_there_and_waited_for(deployment):
    resources = deployment.resources
    known = {address(each): each for each in resources}
    assert len(known) == len(resources)
    for each in resources:
        body = json.dumps({key: value for key, value in each.items() if key != "dependsOn"})
        for other, resource in known.items():
            if other.strip("[]") in body and resource is not each:
                assert other in each["dependsOn"], (each["name"], other)
        assert set(each.get("dependsOn", [])) <= set(known)


def test_it_can_be_deployed_in_an_order(deployment):
    resources = deployment.resources
    waiting = {address(each): set(each.get("dependsOn", [])) for each in resources}
    while waiting:
        ready = {name for name, waits in waiting.items() if not waits}
        assert ready, f"in a circle: {sorted(waiting)}"
        waiting = {name: waits - ready for name, waits in waiting.items() if name not in ready}


def test_only_what_the_deployment_knows_is_an_expression(deployment):
    allowed = {"resourceId", "extensionResourceId", "subscriptionResourceId", "reference", "subscription", "parameters"}
    allowed |= {"last", "split"}  # the version of a key, out of its address
    found = set(re.findall(r"(\w+)\(", " ".join(re.findall(r'"(\[[^[].*?\])"', everything(deployment)))))
    assert {"resourceId", "reference"} <= found <= allowed


def test_every_resource_is_the_stacks(deployment):
    for each in deployment.resources:
        if "tags" in each:
            assert each["tags"]["hdictl-stack"] == deployment.stack


def test_the_resource_group_is_made_first():
    deployment = rendered(small()).subscription
    (group,) = resolved_resources(deployment, PLACE)
    assert deployment.scope is DeploymentScope.SUBSCRIPTION
    assert group["id"] == f"/subscriptions/{SUBSCRIPTION}/resourceGroups/rg-shop"
    assert (group["location"], group["tags"]) == ("westeurope", {"hdictl-stack": "shop", "team": "data"})


def test_clusters_that_exist_are_left_out_and_what_they_stand_on_is_not():
    whole, rest = rendered(small()).group, rendered(small(), without=frozenset({"ingest"})).group
    assert names_of(rest, CLUSTER) == ["jobs-shop"]
    assert len(rest.resources) == len(whole.resources) - 1
    none = rendered(small(), without=frozenset({"ingest", "jobs"})).group
    assert not names_of(none, CLUSTER)
    assert not none.template["parameters"], "nobody needs a secret for a network"
    assert not none.parameters
    assert "outputs" not in none.template


def test_secrets_are_referred_to_where_they_are_kept():
    group = rendered(small(secrets={"gateway": {"resource_group": "rg-vaults"}})).group
    assert group.template["parameters"] == {"gatewayPassword": {"type": "secureString"}}
    vault = f"/subscriptions/{SUBSCRIPTION}/resourceGroups/rg-vaults/providers/Microsoft.KeyVault/vaults/kv-secrets"
    assert group.parameters == {"gatewayPassword": {"reference": {"keyVault": {"id": vault}, "secretName": "gateway"}}}
    assert not group.secrets


def test_secrets_of_the_environment_are_in_no_file(monkeypatch):
    monkeypatch.setenv("GATEWAY_PASSWORD", "canary-Pa55word!")
    made = rendered(small(secrets={"gateway": {"keyvault": None, "name": None, "env": "GATEWAY_PASSWORD"}}))
    assert made.group.secrets["gatewayPassword"].env == "GATEWAY_PASSWORD"
    assert "gatewayPassword" not in made.group.parameters
    assert "canary" not in "".join(file_texts(made).values())
    assert any("gatewayPassword comes from the environment" in note for note in made.notes)


def test_outputs_tell_where_the_clusters_are_and_no_secret():
    group = rendered(small()).group
    assert group.template["outputs"]["clusters"]["value"]["jobs"] == {
        "gateway": "https://jobs-shop.azurehdinsight.net",
        "ssh": "jobs-shop-ssh.azurehdinsight.net",
    }
    assert "parameters(" not in json.dumps(group.template["outputs"])


def test_a_secret_in_a_vault_that_the_stack_makes_is_too_late():
    key = {"keyvault": "kv-secrets", "name": "disks", "create": True}
    assert any("there before" in note for note in rendered(kafka(encryption={"key": key})).notes)


def test_another_stack_is_another_deployment():
    assert rendered(small()).group.name == rendered(small()).group.name
    assert rendered(small()).group.name != rendered(kafka(workers={"count": 9})).group.name


def test_what_azure_could_not_deploy_is_refused_with_everything_that_is_wrong():
    stack = kafka(workers={"size": "Standard_Nonsense"}, version="9.9")
    refuse_unsound(rendered(small()), small())
    with pytest.raises(TemplateInvalid) as raised:
        refuse_unsound(rendered(stack), stack)
    said = "\n".join(map(str, raised.value.findings))
    assert "Standard_Nonsense" in said
    assert "9.9" in said
    assert "group.template.json" in said
    lines = file_texts(rendered(stack))["group.template.json"].splitlines()
    (size,) = (each for each in raised.value.findings if "Standard_Nonsense" in each.message)
    assert "Standard_Nonsense" in lines[size.mark.line - 1]


def test_az_can_deploy_the_files():
    commands = az_commands(rendered(small()), Path("my files"), small())
    assert commands[0].startswith(f"az deployment sub create --subscription {SUBSCRIPTION} --location westeurope")
    assert commands[1].startswith(f"az deployment group create --subscription {SUBSCRIPTION} --resource-group rg-shop")
    assert commands[1].endswith(
        "--template-file 'my files/group.template.json' --parameters 'my files/group.parameters.json'"
    )


def test_names_hold_everywhere(deployment):
    """Azure's rules for the names that are derived: storage 3–24 lower-case letters and digits, and so on."""
    for each in deployment.resources:
        last = each["name"].split("/")[-1]
        if each["type"] == "Microsoft.Storage/storageAccounts":
            assert re.fullmatch(r"[a-z0-9]{3,24}", last)
        if each["type"].endswith("/containers"):
            assert re.fullmatch(r"[a-z0-9](-?[a-z0-9])+", last)
        assert len(last) <= 80
