"""What all tests share: a workspace that leaves nothing behind."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.workspace import Workspace


def pytest_configure() -> None:
    """Started in the background of a shell, this and its children ignore Ctrl-C; the tests send it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


# Tests that start JVMs, containers or sshd. They run one after the other, while the rest runs beside them: two real
# clusters at a time are more than two cores bear.
_MACHINE = (
    *(f"acceptance/{part}/" for part in ("ambari", "contract", "docker", "docs", "faults", "java", "local", "spark")),
    "acceptance/topics/",
    "acceptance/azure/test_canary",
    "acceptance/azure/test_topics",
    "acceptance/azure_fake/test_real_brokers",
    "invariants/test_laws",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Groups for `pytest -n 2 --dist loadgroup`; without those options they mean nothing."""
    for item in items:
        place = item.path.relative_to(Path(__file__).parent).as_posix()
        if place.startswith(_MACHINE):
            item.add_marker(pytest.mark.xdist_group("machine"))


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A folder of its own; whoever brings something up in it uses `running`."""
    return Workspace(tmp_path)


@pytest.fixture
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Workspace]]:
    """Makes workspaces whose clusters are taken down at the end, whatever the test did to them."""
    made: list[Workspace] = []

    def make(target: str = "local") -> Workspace:
        made.append(Workspace(tmp_path_factory.mktemp("workspace"), target))
        return made[-1]

    yield make
    for workspace in made:
        if (workspace.folder / "stack.yaml").exists():
            workspace.run("down")
