"""One cluster of six brokers with data on it for the whole folder: it takes longer to make than most tests to run."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.acceptance.rebalance.load import commit_once, fill
from tests.acceptance.rebalance.site import BUSY, Site, bootstrap_of, stack
from tests.workspace import Workspace

_HAS_FAILED = pytest.StashKey[bool]()
_MEGABYTES = 36  # a run that moves every replica takes some seconds at 8 MB/s


@pytest.fixture(scope="package")
def six_brokers(tmp_path_factory: pytest.TempPathFactory, jars_cache: Path) -> Iterator[Site]:
    workspace = Workspace(tmp_path_factory.mktemp("six"))
    workspace.write(stack(6))
    try:
        workspace.run("up").ok()
        with closing(Site(workspace, bootstrap_of(workspace))) as site:
            fill(site.living.bootstrap, BUSY, _MEGABYTES)
            commit_once(site.living.bootstrap)
            yield site
    finally:
        workspace.run("down")


@pytest.fixture
def site(six_brokers: Site, request: pytest.FixtureRequest) -> Iterator[Site]:
    yield six_brokers
    if request.node.stash.get(_HAS_FAILED, False):
        six_brokers.recover()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        item.stash[_HAS_FAILED] = True
    return report
