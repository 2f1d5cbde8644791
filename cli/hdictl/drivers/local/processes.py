"""Processes that outlive the command that started them, and are found again without being confused with others.

A process is ours when three things agree: the pid and the start time that were written down, and the marker and the
settings file on its command line. When the first two are lost (a damaged record, a command that was killed between
start and note) the command line alone is enough to find it: no stranger's has our folder in it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import psutil

_PROPERTY = "-Dhdictl.instance="
_CLOCK_SLACK = 2.0  # seconds; the kernel counts from boot, and the time of boot moves when the clock is set
_KILL_PATIENCE = 60.0  # seconds; a broker with thousands of files mapped takes some to disappear
_started: list[subprocess.Popen[bytes]] = []  # kept: a Popen that is dropped while its process runs complains


@dataclass(frozen=True)
class Identity:
    """What is on the command line of a process of ours. The settings file is its last argument."""

    instance: str
    cluster: str
    node: str
    settings: Path

    @property
    def marker(self) -> str:
        return f"{_PROPERTY}{self.instance}/{self.cluster}/{self.node}"

    def fits(self, command: Sequence[str]) -> bool:
        return self.marker in command and command[-1] == str(self.settings)


def start(command: Sequence[str], *, folder: Path, console: Path, environ: Mapping[str, str]) -> psutil.Process:
    """Start it in a session of its own: Ctrl-C and a closed terminal do not reach it."""
    with console.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    _started.append(process)
    return psutil.Process(process.pid)


def find(identity: Identity, pid: int | None, started: float | None) -> psutil.Process | None:
    """The living process of this identity. What was written down is tried first, then every process is looked at."""
    if pid is not None and started is not None:
        process = _living(pid)
        if process and abs(process.create_time() - started) <= _CLOCK_SLACK and identity.fits(_command(process)):
            return process
    return next((process for process in psutil.process_iter() if identity.fits(_command(process))), None)


def find_all(instance: str, folder: Path) -> dict[psutil.Process, str]:
    """Every living process of an instance, with its `cluster/node`."""
    prefix = f"{_PROPERTY}{instance}/"
    found = {}
    for process in psutil.process_iter():
        command = _command(process)
        marker = next((argument for argument in command if argument.startswith(prefix)), None)
        if marker and Path(command[-1]).is_relative_to(folder):
            found[process] = marker.removeprefix(prefix)
    return found


def is_alive(process: psutil.Process) -> bool:
    """False for a zombie, which only waits for its parent; but one with threads still holds its files and ports."""
    with suppress(psutil.Error):
        if not process.is_running():
            return False
        return process.status() != psutil.STATUS_ZOMBIE or process.num_threads() > 1
    return False


def end(processes: Iterable[psutil.Process], *, grace: float) -> int:
    """End them all at once: asked, given `grace` seconds, then made to. Returns how many there were."""
    everyone = [process for process in processes if is_alive(process)]
    living = everyone
    if grace > 0:
        _signal(everyone, signal.SIGTERM)
        living = _wait_for_end(everyone, grace)
    _signal(living, signal.SIGKILL)
    _wait_for_end(living, _KILL_PATIENCE)
    return len(everyone)


def _wait_for_end(processes: Sequence[psutil.Process], seconds: float) -> list[psutil.Process]:
    """Returns those that still live. Zombies do not: in a container there may be nobody who buries them."""
    deadline = time.monotonic() + seconds
    living = [process for process in processes if is_alive(process)]
    while living and time.monotonic() < deadline:
        time.sleep(0.02)
        living = [process for process in living if is_alive(process)]
    _started[:] = [child for child in _started if child.poll() is None]
    return living


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Cleaning up is short; a second Ctrl-C, or the SIGTERM that CI sends after it, must not cut it off."""

    def ignore(_signal: int, _frame: FrameType | None) -> None:
        pass

    if threading.current_thread() is not threading.main_thread():  # no signal arrives here
        yield
        return
    previous = {number: signal.signal(number, ignore) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _signal(processes: Iterable[psutil.Process], number: signal.Signals) -> None:
    for process in processes:
        with suppress(psutil.Error, ProcessLookupError):
            if process.is_running() and os.getpgid(process.pid) == process.pid:
                os.killpg(process.pid, number)  # its children too
            else:
                process.send_signal(number)


def _living(pid: int) -> psutil.Process | None:
    with suppress(psutil.Error):
        process = psutil.Process(pid)
        return process if is_alive(process) else None
    return None


def _command(process: psutil.Process) -> list[str]:
    """Empty for what is gone, a zombie, or not ours to look at."""
    with suppress(psutil.Error, OSError):
        return process.cmdline()
    return []
