"""Waiting for brokers in containers, without waiting for the dead."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from typing import Final

from hdictl.drivers.docker.engine import Engine
from hdictl.drivers.docker.labels import Container
from hdictl.drivers.docker.log import log_of_last_run, telling_lines
from hdictl.drivers.docker.probe import answers
from hdictl.drivers.kafka.ready import cluster_id_if_ready
from hdictl.errors import ProcessFailed

_PATIENCE: Final = 180.0  # seconds; a start takes 5, on a busy machine with much to recover 30
_INTERVAL: Final = 0.2


def wait_for_brokers(
    engine: Engine, instance: str, cluster: str, brokers: Collection[int], advance: Callable[[int], None]
) -> None:
    """Return when these brokers serve, know each other, and their cluster has a controller."""
    deadline = time.monotonic() + _PATIENCE
    silent = set(brokers)
    while True:
        members = [found for found in engine.containers(instance) if found.cluster == cluster]
        awaited = [found for found in members if not found.is_broker or int(found.node) in brokers]
        for member in awaited:
            _require_alive(engine, member)
        ports = {int(found.node): found.port for found in awaited if found.port}
        heard = {broker for broker in silent if broker in ports and answers(ports[broker])}
        advance(len(heard))
        silent -= heard
        if not silent and cluster_id_if_ready(ports.values(), brokers):
            return
        if time.monotonic() > deadline:
            raise _not_ready(cluster, silent)
        time.sleep(_INTERVAL)


def _require_alive(engine: Engine, container: Container) -> None:
    if container.is_running:
        return
    lines = log_of_last_run(engine, container)
    if not _came_back_too_early(lines):
        raise ProcessFailed(
            f"the container ended with code {container.exit_code}:\n" + "\n".join(telling_lines(lines)),
            where=f"{container.cluster}/{container.node}",
            fix="mend what it says (a setting under the cluster's `config`?), then run this again",
        )
    engine.call("start", container.id)


def _came_back_too_early(lines: Sequence[str]) -> bool:
    """ZooKeeper still holds the registration of the broker's former, killed self. It expires in seconds."""
    return any("KeeperErrorCode = NodeExists" in line for line in lines)


def _not_ready(cluster: str, silent: Collection[int]) -> ProcessFailed:
    names = ", ".join(map(str, sorted(silent)))
    return ProcessFailed(
        f"not ready after {_PATIENCE:.0f} s: " + (f"no answer from {names}" if names else "it has no controller yet"),
        where=f"cluster `{cluster}`",
        fix="`docker stats` shows whether the machine is too busy; then run this again",
    )
