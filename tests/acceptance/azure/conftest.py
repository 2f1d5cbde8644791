"""A cloud of its own for every test of hdictl on Azure, and a folder to run `hdictl` in that lives in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.azure import FakeCloud
from tests.workspace import Workspace


@pytest.fixture
def cloud() -> Iterator[FakeCloud]:
    """At the end the test fails when a request was not as Microsoft's specification has it."""
    with FakeCloud() as cloud:
        yield cloud
    assert not cloud.violations, "\n".join(cloud.violations)


@pytest.fixture
def azure_workspace(tmp_path: Path, cloud: FakeCloud) -> Workspace:
    """`hdictl` here has the target azure, and this cloud is its Azure."""
    return Workspace(tmp_path, "azure", cloud.environ())
