"""Waiting for brokers in containers, without waiting for the dead."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hdictl.drivers.docker_engine import Engine
from hdictl.drivers.docker_labels import Container
from hdictl.drivers.docker_log import log_of_last_run, telling_lines
from hdictl.drivers.docker_status import address
from hdictl.drivers.kafka_ready import wait_until_ready
from hdictl.errors import ProcessFailed


def wait_for_brokers(engine: Engine, instance: str, cluster: str, brokers: Collection[int]) -> None:
    """Return when these brokers serve and their cluster has a controller."""
    members = _members(engine, instance, cluster)
    addresses = {int(member.node): address(member) for member in members if member.is_broker}
    awaited = {broker: found for broker, found in addresses.items() if broker in brokers and found}

    def require_alive() -> None:
        for member in _members(engine, instance, cluster):
            if not member.is_running and (not member.is_broker or int(member.node) in brokers):
                lines = log_of_last_run(engine, member)
                if not _came_back_too_early(lines):
                    raise _ended(member, lines)
                engine.call("start", member.id)

    wait_until_ready(cluster, awaited, require_alive)


def _members(engine: Engine, instance: str, cluster: str) -> list[Container]:
    return [found for found in engine.containers(instance) if found.cluster == cluster]


def _came_back_too_early(lines: Sequence[str]) -> bool:
    """ZooKeeper still holds the registration of the broker's former, killed self: it expires in seconds."""
    return any("KeeperErrorCode = NodeExists" in line for line in lines)


def _ended(container: Container, lines: Sequence[str]) -> ProcessFailed:
    return ProcessFailed(
        f"the container ended with code {container.exit_code}:\n" + "\n".join(telling_lines(lines)),
        where=f"{container.cluster}/{container.node}",
        fix="mend what it says (a setting under the cluster's `config`?), then run this again",
    )
