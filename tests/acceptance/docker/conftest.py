"""A real engine, or a clear word that there is none. HDICTL_REQUIRE_DOCKER=1 turns the skip into a failure."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from hdictl.drivers.docker.engine import Engine
from hdictl.drivers.docker.platform import DockerPlatform
from hdictl.errors import DockerUnavailable
from hdictl.ports.machine import BrokerSpec, KafkaSpec
from hdictl.ports.progress import Silent

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.docker)


@pytest.fixture(scope="session")
def engine() -> Engine:
    found = Engine()
    try:
        found.require()
    except DockerUnavailable as error:
        if os.environ.get("HDICTL_REQUIRE_DOCKER") == "1":
            pytest.fail(f"HDICTL_REQUIRE_DOCKER is set, but {error}", pytrace=False)
        pytest.skip(f"docker tests need an engine: {error.what}")
    return found


@dataclass(frozen=True)
class Stack:
    """A stack's platform, and what a test needs to look behind it."""

    instance: str
    folder: Path
    engine: Engine
    platform: DockerPlatform

    def up(self, brokers: int = 1, cluster: str = "ingest", **spec: object):
        specs = tuple(BrokerSpec(1001 + n, fd=n % 3, ud=n % 5) for n in range(brokers))
        return self.platform.up([KafkaSpec(cluster, specs, **spec)], Silent())  # type: ignore[arg-type]

    def leftovers(self) -> list[str]:
        containers = [found.name for found in self.engine.containers(self.instance)]
        return [*containers, *self.engine.volumes(self.instance), *self.engine.networks(self.instance)]


@pytest.fixture(scope="session")
def new_stack(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], Stack]]:
    stacks: list[Stack] = []
    parent = tmp_path_factory.mktemp("stacks")

    def make() -> Stack:
        instance = f"test-{uuid.uuid4().hex[:8]}"
        stacks.append(Stack(instance, parent / instance, engine, DockerPlatform(instance, parent / instance, engine)))
        return stacks[-1]

    yield make
    for stack in stacks:
        stack.platform.down(keep_data=False, progress=Silent())


@pytest.fixture
def stack(new_stack: Callable[[], Stack]) -> Iterator[Stack]:
    made = new_stack()
    yield made
    made.platform.down(keep_data=False, progress=Silent())


@pytest.fixture(scope="module")
def running(new_stack: Callable[[], Stack]) -> Iterator[Stack]:
    """Two brokers that tests look at and leave as they were."""
    made = new_stack()
    made.up(brokers=2)
    yield made
    made.platform.down(keep_data=False, progress=Silent())
