"""What runs, told from the engine's own description of containers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

from hdictl.drivers.docker.engine import Engine
from hdictl.drivers.docker.labels import Container
from hdictl.drivers.docker.log import log_of_last_run
from hdictl.drivers.docker.probe import answers
from hdictl.errors import HdictlError
from hdictl.ports.machine import ClusterStatus, NodeState, NodeStatus

_LINES = 8  # of the log, for a container that does not run


class StopMarks:
    """Which containers were stopped on purpose.

    The engine does not tell a kill that was asked for from a crash. Were the marks lost, such a broker would show
    as crashed: nothing worse.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "stopped"

    def add(self, containers: Iterable[Container]) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        for container in containers:
            (self._folder / container.id).touch()

    def remove(self, containers: Iterable[Container]) -> None:
        for container in containers:
            (self._folder / container.id).unlink(missing_ok=True)

    def __contains__(self, container: Container) -> bool:
        return (self._folder / container.id).exists()


def in_order(containers: Iterable[Container]) -> list[Container]:
    """By cluster; in it ZooKeeper first, then brokers by id."""
    return sorted(containers, key=lambda c: (c.cluster, int(c.node) if c.is_broker else -1))


def by_cluster(containers: Iterable[Container]) -> dict[str, list[Container]]:
    return {
        cluster: list(members) for cluster, members in groupby(in_order(containers), key=lambda found: found.cluster)
    }


def cluster_status(engine: Engine, cluster: str, members: Sequence[Container], marks: StopMarks) -> ClusterStatus:
    return ClusterStatus(
        cluster=cluster,
        cluster_id=cluster_id(engine, members),
        bootstrap=bootstrap(members),
        nodes=tuple(node_status(engine, member, marks) for member in members),
    )


def node_status(engine: Engine, container: Container, marks: StopMarks) -> NodeStatus:
    state = _state(container, marks)
    is_up = state in (NodeState.RUNNING, NodeState.STARTING)
    return NodeStatus(
        name=container.node,
        state=state,
        process=container.id[:12],
        address=address(container),
        fd=container.fd,
        ud=container.ud,
        memory=_memory(engine, container) if container.is_running else None,
        started=container.started if is_up else None,
        log=f"docker logs {container.name}",
        last_lines=() if is_up else tuple(log_of_last_run(engine, container)[-_LINES:]),
    )


def bootstrap(members: Iterable[Container]) -> str:
    return ",".join(filter(None, map(address, members)))


def address(container: Container) -> str | None:
    return f"127.0.0.1:{container.port}" if container.port else None


def cluster_id(engine: Engine, members: Iterable[Container]) -> str | None:
    """From the file that Kafka puts beside its data; copying it out works on a stopped container too.

    The copy is a tar archive of one small text file, in which the line stands as it is.
    """
    for broker in (member for member in members if member.is_broker):
        try:
            archive = engine.call("cp", f"{broker.id}:/var/lib/kafka/data/meta.properties", "-")
        except HdictlError:
            continue  # it has not come as far as writing one
        if found := re.search(r"^cluster\.id=(\S+)$", archive, re.MULTILINE):
            return found.group(1)
    return None


def free_bytes(engine: Engine, members: Iterable[Container]) -> dict[int, int]:
    """All volumes are on the engine's one disk, which brokers fill together; any of them can tell how full it is."""
    brokers = [member for member in members if member.is_broker]
    for broker in (each for each in brokers if each.is_running):
        try:
            table = engine.call("exec", broker.id, "df", "-P", "-k", "/var/lib/kafka/data")
            free = int(table.splitlines()[-1].split()[3]) * 1024
        except (HdictlError, IndexError, ValueError):
            continue  # it ended in between
        return {int(each.node): free // len(brokers) for each in brokers}
    return {}


def _state(container: Container, marks: StopMarks) -> NodeState:
    if container.is_running:
        return NodeState.RUNNING if container.port is None or answers(container.port) else NodeState.STARTING
    if container.state in ("created", "restarting"):
        return NodeState.STARTING
    if container.ended_as_asked or container in marks:
        return NodeState.STOPPED
    return NodeState.CRASHED


def _memory(engine: Engine, container: Container) -> int | None:
    """Resident bytes. `docker stats` would take two seconds to say it."""
    try:
        table = engine.call("top", container.id, "-o", "pid,rss")
    except HdictlError:
        return None  # it ended in between, or the engine's machine has another `ps`
    return sum(int(line.split()[1]) * 1024 for line in table.splitlines()[1:])
