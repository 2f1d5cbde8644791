"""ZooKeeper's four-letter words: enough to ask it what matters at start, without a client library."""

from __future__ import annotations

import re
import socket

# `dump` says which sessions hold which nodes. The settings must allow both.
ALLOWED = "ruok,srvr,dump"


def is_serving(port: int) -> bool:
    """`ruok` would do for the process; only a ZooKeeper that serves tells its mode."""
    return "Mode:" in _ask(port, "srvr")


def registered_brokers(port: int) -> set[int]:
    """Brokers that some session holds a registration for, be the broker alive or not yet given up."""
    return {int(broker) for broker in re.findall(r"/brokers/ids/(\d+)", _ask(port, "dump"))}


def _ask(port: int, word: str) -> str:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2) as connection:
            connection.sendall(word.encode())
            answer = b""
            while chunk := connection.recv(65536):
                answer += chunk
    except OSError:
        return ""
    return answer.decode(errors="replace")
