"""An Ambari behind HTTPS, and a client of ours that is connected to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hdictl.drivers.ambari.client import AmbariClient, connect
from hdictl.drivers.azure.secrets import SecretText
from tests.fakes.azure.ambari import AmbariServer, AmbariWorld

PASSWORD = "Canary-pass-7731"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[AmbariServer]:
    with AmbariServer(AmbariWorld("Ingest-Demo"), user="admin", password=PASSWORD) as server:
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", server.bundle)
        yield server


@pytest.fixture
def client(server: AmbariServer) -> Iterator[AmbariClient]:
    # The case is wrong on purpose: Azure does not mind it.
    with connect("ingest-demo", "localhost", server.port, "admin", SecretText(PASSWORD)) as client:
        yield client
