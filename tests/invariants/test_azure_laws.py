"""Laws that hold for every example stack on Azure: apply leaves an empty plan, a second apply changes nothing, an
interrupted apply is completed by the next, destroy leaves nothing, and what is sent is as Microsoft specifies it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from tests.fakes.azure import FakeCloud, operator
from tests.fakes.azure.service import Logged
from tests.workspace import Workspace

TESTS = Path(__file__).parents[1]
STACKS = sorted([*TESTS.glob("invariants/stacks/*.yaml"), *TESTS.glob("bench/stacks/*.yaml")])

# No brokers stand behind the fake's clusters here: topics have laws of their own.
NO_TOPICS = "--skip=topics"
_READS = ("GET", "HEAD")
_DRY_RUNS = ("/whatif", "/validate", "/validatecreaterequest", "/checknameavailability")

SECRETS = {"gateway": "Gateway-Pa55word!", "ssh": "Secure-Shell-42!", "hdi-join": "Join-Domain-42!x"}


def clickstream(cloud: FakeCloud) -> None:
    operator.vault(cloud, "rg-clickstream", "kv-clickstream", SECRETS)


def platform(cloud: FakeCloud) -> None:
    operator.vault(cloud, "rg-shared", "kv-platform-shared", SECRETS)
    operator.around_the_platform(cloud)
    operator.let_the_platform_into_its_vault(cloud)


def six(cloud: FakeCloud) -> None:
    operator.vault(cloud, "rg-six", "kv-six-secrets", SECRETS)


# What an operator brings, by the name of the stack.
BEFORE: Mapping[str, Callable[[FakeCloud], None]] = {"clickstream": clickstream, "platform": platform, "six": six}


@dataclass(frozen=True)
class Example:
    file: Path
    name: str
    clusters: int


def examples() -> Iterator[Example]:
    for file in STACKS:
        described = yaml.safe_load(file.read_text())
        if "azure" in described:
            yield Example(file, described["stack"], len(described["clusters"]))


def workspace_of(example: Example, folder: Path, cloud: FakeCloud) -> Workspace:
    for part in example.file.parent.iterdir():
        if part.is_dir():
            shutil.copytree(part, folder / part.name)
    shutil.copy(example.file, folder / "stack.yaml")
    BEFORE[example.name](cloud)
    return Workspace(folder, "azure", {**cloud.environ(), "HDI_JOIN_PASSWORD": SECRETS["hdi-join"]})


def written(requests: list[Logged]) -> list[str]:
    """Requests that change something."""
    return [
        f"{each.method} {each.path}"
        for each in requests
        if each.method not in _READS and not each.path.lower().endswith(_DRY_RUNS)
    ]


def of_the_stack(cloud: FakeCloud, name: str) -> list[str]:
    found = cloud.world.resources.values()
    return [str(each.id) for each in found if (each.body.get("tags") or {}).get("hdictl-stack") == name]


def is_deploying(cloud: FakeCloud) -> bool:
    return "Running" in cloud.deployment_states().values()


def is_deleting(cloud: FakeCloud) -> bool:
    return any(each.state == "Deleting" for each in list(cloud.world.resources.values()))


def creations(workspace: Workspace) -> set[str]:
    """What a plan makes; it has nothing else to do."""
    planned = workspace.run("plan", NO_TOPICS, "--json").failed(3).json["plan"]
    assert planned["refusals"] == []
    assert {change["action"] for change in planned["changes"]} <= {"create", "update"}
    return {change["address"] for change in planned["changes"] if change["action"] == "create"}


@pytest.mark.parametrize("example", list(examples()), ids=lambda example: example.file.stem)
def test_the_laws_on_azure(example: Example, tmp_path: Path) -> None:
    with FakeCloud(pace=0.02) as cloud:
        workspace = workspace_of(example, tmp_path, cloud)
        workspace.run("check").ok()
        rendered_alike(workspace)
        wanted = creations(workspace)
        assert len([address for address in wanted if address.startswith("cluster:")]) == example.clusters

        interrupted(workspace, cloud)
        workspace.run("apply", "--yes", NO_TOPICS).ok()
        assert len(cloud.created("Microsoft.HDInsight/clusters")) == example.clusters
        assert cloud.duplicates() == []

        nothing_to_do(workspace, cloud)
        destroyed(workspace, cloud, example.name)
        # What an operator made beforehand, and the stack took over, is made by the stack now.
        assert {address for address in wanted if not address.startswith("group:")} <= creations(workspace)
    assert not cloud.violations, "\n".join(cloud.violations)


def rendered_alike(workspace: Workspace) -> None:
    for folder in ("one", "two"):
        workspace.run("render", "--out", folder).ok()
    one, two = (
        {file.name: file.read_bytes() for file in (workspace.folder / name).iterdir()} for name in ("one", "two")
    )
    assert one == two
    assert one


def interrupted(workspace: Workspace, cloud: FakeCloud) -> None:
    """Ctrl-C while the deployment is on its way; it goes on, and the next apply finds it."""
    cloud.pace = 1.0
    told = workspace.interrupted("apply", "--yes", NO_TOPICS, when=lambda: is_deploying(cloud))
    told.failed(130, "goes on in Azure", "run the same command again")
    cloud.pace = 0.02


def nothing_to_do(workspace: Workspace, cloud: FakeCloud) -> None:
    assert workspace.run("plan", NO_TOPICS, "--json").ok().json["plan"]["changes"] == []
    before = len(cloud.requests)
    assert workspace.run("apply", NO_TOPICS, "--json").ok().json["changed"] == 0
    assert written(cloud.requests[before:]) == []


def destroyed(workspace: Workspace, cloud: FakeCloud, name: str) -> None:
    cloud.pace = 1.0
    told = workspace.interrupted("destroy", "--yes", when=lambda: is_deleting(cloud))
    told.failed(130, "what is being deleted goes on", "run the same command again")
    cloud.pace = 0.02
    assert workspace.run("destroy", "--yes", "--json").ok().json["deleted"] > 0
    assert of_the_stack(cloud, name) == []
    before = len(cloud.requests)
    assert workspace.run("destroy", "--yes", "--json").ok().json["deleted"] == 0
    assert written(cloud.requests[before:]) == []
