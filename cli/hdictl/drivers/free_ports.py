"""Ports for listeners on this machine.

They are taken below the range from which the system gives ports to outgoing connections, and remembered in a book
that all stacks of this user share, wherever they keep their state: a broker comes back on its port, and no two stacks
pick the same, though a JVM takes seconds to bind what was chosen for it.
"""

from __future__ import annotations

import json
import re
import socket
import zlib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import psutil
from filelock import FileLock

from hdictl.errors import PortInUse

HOST = "127.0.0.1"
_FIRST, _LAST = 21000, 31999
_EPHEMERAL = Path("/proc/sys/net/ipv4/ip_local_port_range")


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        # macOS lets two sockets share a port when one listens on every address: only an answer gives it away.
        if probe.connect_ex((HOST, port)) == 0:
            return False
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as Java does: TIME_WAIT is no owner
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def require_free(port: int, *, where: str) -> None:
    if not is_free(port):
        raise PortInUse(
            f"port {port} is in use by {_owner(port)}",
            where=where,
            fix="stop that process, or give the cluster another port (or none: hdictl finds a free one)",
        )


class PortBook:
    """Which instance has which ports. An instance is known by its folder; one whose folder is gone has none."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "ports.json"
        self._lock = FileLock(folder / "ports.lock")

    def choose(self, instance: Path, count: int, *, remembered: Sequence[int] = ()) -> list[int]:
        """`count` free ports: those remembered as far as nobody took them, then new ones."""
        with self._lock:
            claims = self._read()
            others = {port for port, owner in claims.items() if owner != str(instance)}
            chosen: list[int] = []
            for port in (*remembered, *_candidates(instance)):
                if len(chosen) == count:
                    break
                if port not in others and port not in chosen and is_free(port):
                    chosen.append(port)
            self._write({**claims, **dict.fromkeys(chosen, str(instance))})
        if len(chosen) < count:
            raise PortInUse(
                f"no {count} free ports between {_FIRST} and {_LAST}", where=HOST, fix="stop what holds them"
            )
        return chosen

    def release(self, instance: Path) -> None:
        with self._lock:
            self._write({port: owner for port, owner in self._read().items() if owner != str(instance)})

    def _read(self) -> dict[int, str]:
        try:
            claims = {int(port): str(owner) for port, owner in json.loads(self._file.read_text()).items()}
        except (OSError, ValueError, AttributeError):
            return {}  # absent or damaged: ports are still probed before they are given away
        return {port: owner for port, owner in claims.items() if Path(owner).is_dir()}

    def _write(self, claims: dict[int, str]) -> None:
        draft = self._file.with_suffix(".draft")
        draft.write_text(json.dumps(claims))
        draft.replace(self._file)


def _candidates(instance: Path) -> Iterable[int]:
    """Each instance begins elsewhere: two that look at the same moment, with different books, still differ."""
    last = min(_LAST, _first_ephemeral() - 1)
    span = last - _FIRST + 1
    if span < 100:  # the system gives out nearly everything: then there is no safe place, only a likely one
        span = _LAST - _FIRST + 1
    begin = zlib.crc32(bytes(instance)) % span
    return (_FIRST + (begin + step) % span for step in range(span))


def _first_ephemeral() -> int:
    with suppress(OSError, ValueError, AttributeError):
        return int(re.findall(r"\d+", _EPHEMERAL.read_text())[0])
    return 49152  # what IANA says, and macOS does


def _owner(port: int) -> str:
    """Whoever listens there, as far as this user may see."""
    with suppress(psutil.Error, OSError):
        for connection in psutil.net_connections(kind="tcp"):
            if connection.laddr and connection.laddr.port == port and connection.status == psutil.CONN_LISTEN:
                if connection.pid is None:
                    break
                return f"process {connection.pid} ({psutil.Process(connection.pid).name()})"
    return "another process"
