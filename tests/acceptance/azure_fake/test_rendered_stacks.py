"""What `hdictl render` writes deploys at the first try, by any client of Azure's: here, by Microsoft's own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.azure_fake.bodies import PASSWORD
from tests.acceptance.azure_fake.conftest import Clients
from tests.fakes.azure import FakeCloud, operator
from tests.fakes.azure.secrets import digest
from tests.workspace import Workspace

STACKS = Path(__file__).parents[2] / "invariants" / "stacks"
JOINS = "Join-Domain-42!x"


def rendered(cloud: FakeCloud, folder: Path, stack: str) -> dict[str, Any]:
    """The four files, by name."""
    workspace = Workspace(folder, "azure", {**cloud.environ(), "HDI_JOIN_PASSWORD": JOINS})
    workspace.run("render", "--stack", str(STACKS / stack), "--out", "out").ok()
    return {file.name: json.loads(file.read_text()) for file in (folder / "out").iterdir()}


def deploy(clients: Clients, files: dict[str, Any], group: str, **secrets: str) -> None:
    """As `az deployment sub create` and `az deployment group create` do, secrets that no vault holds by hand."""
    operations = clients.deployments.deployments
    scoped = _properties(files, "subscription")
    operations.begin_create_or_update_at_subscription_scope("all", {"location": "westeurope", **scoped}).result()
    body = _properties(files, "group")
    body["properties"]["parameters"] |= {name: {"value": value} for name, value in secrets.items()}
    operations.begin_create_or_update(group, "first", body).result()


def _properties(files: dict[str, Any], scope: str) -> dict[str, Any]:
    template = files[f"{scope}.template.json"]
    parameters = files[f"{scope}.parameters.json"]["parameters"]
    return {"properties": {"mode": "Incremental", "template": template, "parameters": parameters}}


@dataclass(frozen=True)
class Example:
    stack: str
    group: str
    vault: tuple[str, str]  # group and name
    clusters: int
    secrets: Mapping[str, str] = field(default_factory=dict)  # that no vault holds


EXAMPLES = [
    Example("clickstream.yaml", "rg-clickstream", ("rg-clickstream", "kv-clickstream"), 3),
    Example("azure-full.yaml", "rg-platform", ("rg-shared", "kv-platform-shared"), 4, {"jobsDomainPassword": JOINS}),
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.stack)
def test_rendered_templates_deploy_at_the_first_try(
    cloud: FakeCloud, clients: Clients, tmp_path: Path, example: Example
) -> None:
    operator.vault(cloud, *example.vault, {"gateway": PASSWORD, "hdi-join": JOINS})
    if example.group == "rg-platform":
        operator.around_the_platform(cloud)
        operator.let_the_platform_into_its_vault(cloud)
    deploy(clients, rendered(cloud, tmp_path, example.stack), example.group, **example.secrets)
    names = cloud.created("Microsoft.HDInsight/clusters")
    assert [made.state for name in names if (made := cloud.cluster(name))] == ["Succeeded"] * example.clusters
    assert cloud.duplicates() == []
    assert cloud.saw_secret("gatewayPassword") == digest(PASSWORD)
    dump = cloud.dump()
    assert PASSWORD not in dump
    assert JOINS not in dump
