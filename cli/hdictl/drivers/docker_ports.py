"""Ports of this machine for brokers in containers: remembered in labels, chosen when there is none to remember."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Sequence
from typing import Final

from hdictl.drivers.docker_compose_file import Ports
from hdictl.drivers.docker_labels import Container
from hdictl.errors import PortInUse
from hdictl.ports import KafkaSpec

_CHOICE: Final = range(19200, 29200)  # below the range from which systems give ports to outgoing connections


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
            elif container and container.port and _is_free(container.port):
                port = container.port
            else:
                port = _free(taken)
            taken.add(port)
            ports[spec.cluster, broker.id] = port
    return ports


def _required(spec: KafkaSpec, position: int) -> int:
    port = (spec.port or 0) + position
    if not _is_free(port):
        raise PortInUse(
            f"port {port} is in use",
            where=f"cluster `{spec.cluster}`, broker {spec.brokers[position].id}",
            fix=f"free it (`lsof -i :{port}` shows who has it), or give the cluster another `port`",
        )
    return port


def _free(taken: Iterable[int]) -> int:
    avoided = set(taken)
    for port in _CHOICE:
        if port not in avoided and _is_free(port):
            return port
    raise PortInUse("no port is free between 19200 and 29199", where="docker", fix="stop what uses them")


def _is_free(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
