"""The pages about Azure, followed start to end in a fake cloud with real brokers behind it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.acceptance.azure.stacks import PASSWORD, PUBLIC_KEY
from tests.acceptance.docs.followed import blocks, follow
from tests.fakes.azure import FakeCloud
from tests.fakes.azure.ambari import attach
from tests.fakes.azure.real_brokers import RealBrokers
from tests.workspace import Workspace


@pytest.fixture
def cloud(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FakeCloud]:
    """A subscription in which somebody has done what the page does with `az`: a vault with the password, no more."""
    with FakeCloud() as cloud, RealBrokers(cloud, attach(cloud), tmp_path_factory.mktemp("brokers")):
        cloud.secret("kv-clickstream", "gateway", PASSWORD, group="rg-shared")
        yield cloud
    assert not cloud.violations, "\n".join(cloud.violations)


def reader(folder: Path, environ: dict[str, str]) -> Workspace:
    """Somebody in a folder with the SSH key, who has not yet said which target is meant."""
    shutil.copy(PUBLIC_KEY, folder / "hdinsight.pub")
    return Workspace(folder, "local", environ)


def test_from_an_empty_subscription_to_a_running_stack_and_back(tmp_path, cloud):
    follow("docs/azure.md", reader(tmp_path, cloud.environ()))
    assert [
        each for each in cloud.world.resources if "/rg-clickstream/" in each and "microsoft.hdinsight" in each
    ] == []


@pytest.mark.parametrize("page", ["docs/cost.md", "docs/render.md"])
def test_pages_that_need_no_cloud(tmp_path, page):
    workspace = reader(tmp_path, {"AZURE_SUBSCRIPTION_ID": "5f3c1d2e-0000-4000-8000-00000000c10d"})
    workspace.write(next(text for language, text in blocks("docs/azure.md") if language == "yaml"))
    follow(page, workspace)
