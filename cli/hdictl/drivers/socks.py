"""Just enough SOCKS 5 to see whether something gets through a proxy."""

from __future__ import annotations

import socket

_SECONDS = 10.0
_VERSION, _NO_LOGIN, _CONNECT, _NAME = 5, 0, 1, 3


def gets_through(proxy: str, proxy_port: int, host: str, port: int) -> bool:
    """Whether a server that speaks first, as SSH does, is heard through the proxy.

    ssh says yes to every request before it has tried, so that only what comes back is proof.
    """
    name = host.encode("idna")
    try:
        with socket.create_connection((proxy, proxy_port), timeout=_SECONDS) as connection:
            connection.sendall(bytes([_VERSION, 1, _NO_LOGIN]))
            connection.recv(2)
            request = bytes([_VERSION, _CONNECT, 0, _NAME, len(name)]) + name + port.to_bytes(2, "big")
            connection.sendall(request)
            answer = connection.recv(10)
            return len(answer) > 1 and answer[1] == 0 and bool(answer[10:] or connection.recv(1))
    except OSError:
        return False
