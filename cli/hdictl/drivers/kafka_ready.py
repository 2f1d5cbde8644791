"""When is a cluster ready? When every broker answers, all are registered, and one of them is the controller."""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Callable, Mapping
from typing import Final

from hdictl.errors import ProcessFailed

# ApiVersions, version 0, the one request that every broker answers at once: size, key 18, version 0,
# correlation id 0, client id "hdictl".
_QUESTION: Final = struct.pack(">ihhih6s", 16, 18, 0, 0, 6, b"hdictl")
_INTERVAL: Final = 0.1


def answers(address: str, timeout: float = 2.0) -> bool:
    """An open port is not enough: Docker's proxy opens it before there is a broker, and a broker before it serves."""
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host, int(port)), timeout=timeout) as connection:
            connection.sendall(_QUESTION)
            return len(connection.recv(4)) == 4
    except OSError:
        return False


def wait_until_ready(
    cluster: str, brokers: Mapping[int, str], require_alive: Callable[[], None], *, patience: float = 120.0
) -> str:
    """Wait for these brokers (id → host:port) and return the cluster's id.

    `require_alive` raises when a process of the cluster has ended, so that nobody waits for the dead.
    """
    deadline = time.monotonic() + patience
    while True:
        require_alive()
        missing = {broker for broker, address in brokers.items() if not answers(address)}
        if not missing:
            cluster_id, registered = _registered(",".join(brokers.values()))
            missing = brokers.keys() - registered
            if cluster_id and not missing:
                return cluster_id
        if time.monotonic() > deadline:
            names = ", ".join(map(str, sorted(missing))) or "the controller"
            raise ProcessFailed(
                f"not ready after {patience:.0f} s: {names}",
                where=f"cluster `{cluster}`",
                fix="see what they say: hdictl logs; start afresh: hdictl down, then hdictl up",
            )
        time.sleep(_INTERVAL)


def _registered(bootstrap: str) -> tuple[str | None, set[int]]:
    """The cluster's id, None while it has no controller, and the ids of its brokers."""
    from confluent_kafka import KafkaException
    from confluent_kafka.admin import AdminClient

    client = AdminClient({"bootstrap.servers": bootstrap, "log_level": 0})
    try:
        cluster = client.describe_cluster(request_timeout=5).result()
    except KafkaException:
        return None, set()
    return cluster.cluster_id if cluster.controller else None, {node.id for node in cluster.nodes}
