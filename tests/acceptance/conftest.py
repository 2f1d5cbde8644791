"""Real Kafka and a real Livy for whoever asks. Jars come from the user's cache, or from where HDICTL_CACHE_DIR says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hdictl.drivers import folders
from hdictl.drivers.local.platform import LocalPlatform
from hdictl.ports.machine import BrokerSpec, ClusterStatus, KafkaSpec
from hdictl.ports.progress import Silent
from tests.acceptance.livy.server import LivyServer


@pytest.fixture(scope="session")
def jars_cache() -> Path:
    return folders.cache()


@pytest.fixture(scope="session")
def kafka3(tmp_path_factory: pytest.TempPathFactory, jars_cache: Path) -> Iterator[ClusterStatus]:
    """A running cluster of three brokers, one in each fault domain, for the whole session."""
    platform = LocalPlatform("acceptance", tmp_path_factory.mktemp("local") / "acceptance")
    spec = KafkaSpec("ingest", tuple(BrokerSpec(1001 + number, number, number) for number in range(3)))
    try:
        (status,) = platform.up([spec], Silent())
        yield status
    finally:
        platform.down(keep_data=False, progress=Silent())


@pytest.fixture(scope="session")
def livy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LivyServer]:
    with LivyServer(tmp_path_factory.mktemp("livy")) as server:
        yield server
