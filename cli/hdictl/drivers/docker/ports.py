"""Ports of this machine for brokers in containers: remembered in labels, chosen when there is none to remember."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from hdictl.drivers.docker.compose_file import Ports
from hdictl.drivers.docker.labels import Container
from hdictl.drivers.free_ports import is_free, require_free
from hdictl.errors import PortInUse
from hdictl.ports.machine import KafkaSpec

# Below the range from which systems give ports to outgoing connections, and clear of the local target's.
_CHOICE: Final = range(16000, 21000)


def broker_ports(clusters: Sequence[KafkaSpec], containers: Iterable[Container], reserved: Iterable[int]) -> Ports:
    """`reserved` are ports of other stacks' containers, which may be stopped and come back."""
    known = {(c.cluster, int(c.node)): c for c in containers if c.is_broker}
    taken = {*reserved, *(container.port for container in known.values() if container.port)}
    ports: dict[tuple[str, int], int] = {}
    for spec in clusters:
        for position, broker in enumerate(spec.brokers):
            container = known.get((spec.cluster, broker.id))
            if container and container.is_running and container.port:
                port = container.port
            elif spec.port is not None:
                port = _required(spec, position)
            elif container and container.port and is_free(container.port):
                port = container.port
            else:
                port = _chosen(taken)
            taken.add(port)
            ports[spec.cluster, broker.id] = port
    return ports


def _required(spec: KafkaSpec, position: int) -> int:
    port = (spec.port or 0) + position
    require_free(port, where=f"cluster `{spec.cluster}`, broker {spec.brokers[position].id}")
    return port


def _chosen(taken: Collection[int]) -> int:
    for port in _CHOICE:
        if port not in taken and is_free(port):
            return port
    raise PortInUse(
        f"no port is free from {_CHOICE.start} to {_CHOICE.stop - 1}", where="docker", fix="stop what holds them"
    )
