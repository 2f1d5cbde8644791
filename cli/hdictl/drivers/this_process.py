"""Who is at work: this process, so that another one can tell whether it still is."""

from __future__ import annotations

import socket
import uuid
from pathlib import Path

import psutil

from hdictl.rebalance.lease import Owner

_SAME_START = 1.0  # seconds; clocks are read with a grain


def this_process() -> Owner:
    process = psutil.Process()
    return Owner(
        id=uuid.uuid4().hex,
        host=socket.gethostname(),
        machine=_machine(),
        pid=process.pid,
        started=process.create_time(),
    )


def is_gone(owner: Owner) -> bool:
    """Only of a process of this machine can that be said."""
    if owner.machine != _machine():
        return False
    try:
        return abs(psutil.Process(owner.pid).create_time() - owner.started) > _SAME_START
    except psutil.NoSuchProcess:
        return True
    except psutil.Error:
        return False


def _machine() -> str:
    """Containers share a boot, and often a name; a space of process ids is what they do not share."""
    boot = Path("/proc/sys/kernel/random/boot_id")
    try:
        seen = f"{boot.read_text().strip()}/{Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        seen = str(round(psutil.boot_time()))
    return f"{socket.gethostname()}/{seen}"
