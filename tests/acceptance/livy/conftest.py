"""The contract's two sites."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from hdictl.drivers.livy.client import LivyClient
from hdictl.drivers.livy.connect import connect
from tests.acceptance.livy.server import LivyServer
from tests.acceptance.livy.site import FakeSite, RealSite, Site, post
from tests.fakes.livy import FakeLivy


@pytest.fixture(scope="session", params=["fake", "real"])
def site(request: pytest.FixtureRequest, livy: LivyServer) -> Iterator[Site]:
    with ExitStack() as stack:
        found: Site = RealSite(livy) if request.param == "real" else FakeSite(stack.enter_context(FakeLivy()))
        # One that ends at once and is left alone: at the end Livy has forgotten it.
        post(found, {"file": found.missing("early"), "name": "early"}).raise_for_status()
        yield found


@pytest.fixture
def client(site: Site) -> Iterator[LivyClient]:
    """Whatever a test leaves running is ended, and its name free again."""
    with connect(site.root, None, None, f"Livy at {site.root}") as client:
        before = {batch.id for batch in client.batches()}
        yield client
        for batch in client.batches():
            if batch.id not in before:
                client.delete(batch.id)
