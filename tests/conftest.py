"""What all tests share: a workspace that leaves nothing behind, and how two workers divide the tests between them."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.workspace import Workspace

HERE = Path(__file__).parent
# Made once and used by many tests: whoever uses one goes to the worker that has it.
_SHARED = ("six_brokers", "kafka3", "livy", "spark", "engine")
# The longest first, so that no worker ends long after the other; but 18,000 replicas on three brokers want a quiet
# neighbour, one without brokers of its own.
_ORDER = (
    "acceptance/topics/test_many_topics",
    "acceptance/azure/test_kills",
    "acceptance/azure_driver/",
    "acceptance/rebalance/",
    "acceptance/jobs/",
    "acceptance/docs/",
    "acceptance/contract/",
    "acceptance/docker/",
    "acceptance/azure/test_topics",
    "acceptance/azure/test_canary",
    "invariants/",
    "acceptance/faults/",
    "acceptance/ambari/",
    "acceptance/spark/",
    "acceptance/streamkit/",
    "acceptance/",
    "acceptance/livy/test_retention",  # what ended at Livy's start is forgotten by then
)


def pytest_configure() -> None:
    """Started in the background of a shell, this and its children ignore Ctrl-C; the tests send it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)  # the groups are read by a hook of the same name
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """For `pytest -n 2 --dist loadgroup --no-loadscope-reorder`; without a second worker, an order is all it is."""
    items.sort(key=_rank)
    for item in items:
        item.add_marker(pytest.mark.xdist_group(_group(item)))


def pytest_collection_finish(session: pytest.Session) -> None:
    """The group is a part of the id. Under a pytest that pytest-xdist does not know, nothing stays together."""
    if getattr(session.config.option, "loadgroup", False) and not all("@" in item.nodeid for item in session.items):
        raise pytest.UsageError("pytest-xdist does not put groups into the ids of this pytest: see pyproject.toml")


def _rank(item: pytest.Item) -> int:
    """The place of the start that says most."""
    place = item.path.relative_to(HERE).as_posix()
    fitting = [start for start in _ORDER if place.startswith(start)]
    return _ORDER.index(max(fitting, key=len)) if fitting else len(_ORDER)


def _group(item: pytest.Item) -> str:
    """A file stays together, for the sake of its fixtures; so does what is used by more than one."""
    if item.get_closest_marker("docker"):
        return "engine"
    fixtures = getattr(item, "fixturenames", ())
    return next((name for name in _SHARED if name in fixtures), item.path.relative_to(HERE).as_posix())


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
