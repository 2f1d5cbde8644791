"""The contract's two sites, and topics for a test alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from hdictl.ports.machine import ClusterStatus
from tests.acceptance.jobs.orders import Orders
from tests.acceptance.jobs.site import Site, livy_site, local_site


@pytest.fixture(params=["local", "livy"])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Site]:
    with ExitStack() as stack:
        if request.param == "local":
            yield stack.enter_context(local_site(tmp_path / "jobs"))
        else:
            yield stack.enter_context(livy_site(request.getfixturevalue("livy"), tmp_path.name))


@pytest.fixture
def orders(kafka3: ClusterStatus, tmp_path: Path) -> Iterator[Orders]:
    with Orders(kafka3, tmp_path) as found:
        yield found
