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
