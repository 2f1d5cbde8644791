from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from hdictl.drivers.local import processes
from hdictl.drivers.local.platform import LocalPlatform
from hdictl.ports.machine import BrokerSpec, KafkaSpec
from hdictl.ports.progress import Silent


class Stack:
    """An instance of the local platform, and what a test wants to know about it without asking it."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.folder = folder
        self.platform = LocalPlatform(name, folder)

    def up(self, brokers: int = 1, cluster: str = "ingest", **more: object) -> KafkaSpec:
        specs = tuple(BrokerSpec(1001 + number, number % 3, number) for number in range(brokers))
        spec = KafkaSpec(cluster, specs, **more)  # type: ignore[arg-type]
        self.platform.up([spec], Silent())
        return spec

    def down(self, *, keep_data: bool = False) -> int:
        return self.platform.down(keep_data=keep_data, progress=Silent())

    def nodes(self) -> dict[str, tuple[str, str | None]]:
        """Name → state and pid."""
        return {node.name: (node.state.value, node.process) for each in self.platform.status() for node in each.nodes}

    def processes(self) -> dict[psutil.Process, str]:
        return processes.find_all(self.name, self.folder)


@pytest.fixture
def new_stack(tmp_path: Path, jars_cache: Path) -> Iterator[Callable[[str], Stack]]:
    stacks = []

    def make(name: str) -> Stack:
        stacks.append(Stack(name, tmp_path / "state" / name))
        return stacks[-1]

    yield make
    for stack in stacks:
        stack.down()


@pytest.fixture
def stack(new_stack: Callable[[str], Stack]) -> Stack:
    return new_stack("shop-0a1b2c3d")
