"""Real processes, each a sleeping Python that carries a marker as ours do."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import psutil
import pytest

from hdictl.drivers.local import processes
from hdictl.drivers.local.processes import Identity

_SLEEP = "import time; time.sleep(600)"
_STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(600)"


@pytest.fixture
def begin(tmp_path):
    begun = []

    def start(identity, program=_SLEEP):
        command = [sys.executable, "-c", program, identity.marker, str(identity.settings)]
        process = processes.start(command, folder=tmp_path, console=tmp_path / "console", environ=os.environ)
        begun.append(process)
        return process

    yield start
    processes.end(begun, grace=0)


@pytest.fixture
def identity(tmp_path):
    return Identity("shop-1", "ingest", "1001", tmp_path / "shop-1" / "node.properties")


def test_a_process_is_found_by_what_was_written_down_and_by_its_command_line(begin, identity):
    process = begin(identity)
    assert processes.find(identity, process.pid, process.create_time()) == process
    assert processes.find(identity, None, None) == process
    assert processes.find(identity, process.pid, process.create_time() - 1000) == process


def test_a_recycled_pid_is_not_ours(begin, identity, tmp_path):
    stranger = subprocess.Popen([sys.executable, "-c", _SLEEP])
    try:
        assert processes.find(identity, stranger.pid, psutil.Process(stranger.pid).create_time()) is None
    finally:
        stranger.kill()
        stranger.wait()


@pytest.mark.parametrize(
    "other",
    [
        {"instance": "shop-2"},
        {"cluster": "mirror"},
        {"node": "1002"},
        {"node": "10011"},
        {"settings": "elsewhere"},  # the same stack under another state folder
    ],
)
def test_a_process_of_another_node_is_not_taken_for_this_one(begin, identity, other, tmp_path):
    fields = {"instance": "shop-1", "cluster": "ingest", "node": "1001", "settings": identity.settings}
    process = begin(Identity(**{**fields, **other}))
    assert processes.find(identity, process.pid, process.create_time()) is None


def test_all_of_an_instance_are_found_and_no_others(begin, identity, tmp_path):
    mine = begin(identity)
    begin(Identity("shop-1", "ingest", "1001", tmp_path / "shop-11" / "node.properties"))
    begin(Identity("shop-11", "ingest", "1001", tmp_path / "shop-1" / "node.properties"))
    assert processes.find_all("shop-1", tmp_path / "shop-1") == {mine: "ingest/1001"}


def test_a_process_is_in_its_own_session(begin, identity):
    process = begin(identity)
    assert os.getsid(process.pid) == process.pid != os.getsid(0)


def test_a_dead_process_that_nobody_waited_for_is_not_alive(begin, identity):
    process = begin(identity)
    process.kill()
    while process.status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.01)
    assert not processes.is_alive(process)
    assert processes.find(identity, process.pid, process.create_time()) is None


def test_end_asks_first_and_insists_then(begin, identity, tmp_path):
    stubborn = begin(identity, _STUBBORN)
    while not (tmp_path / "console").read_bytes():
        time.sleep(0.01)
    assert processes.end([stubborn], grace=0.2) == 1
    assert not processes.is_alive(stubborn)
    assert processes.end([stubborn], grace=0.2) == 0


def test_a_second_ctrl_c_does_not_cut_cleaning_short():
    program = """
import os, signal, sys
from hdictl.drivers.local.processes import uninterrupted
with uninterrupted():
    os.kill(os.getpid(), signal.SIGINT)
    print("cleaned", flush=True)
try:
    os.kill(os.getpid(), signal.SIGINT)
    signal.pause()
except KeyboardInterrupt:
    print("interruptible again")
"""
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert said.stdout.split("\n")[:2] == ["cleaned", "interruptible again"]


@pytest.mark.skipif(sys.platform != "linux", reason="how Linux shows a dying process")
def test_a_dying_process_that_still_has_threads_is_alive(begin, identity, tmp_path):
    """Linux shows it as a zombie once its first thread is gone, while the others hold its ports."""
    program = """
import ctypes, threading, time
thread = threading.Thread(target=time.sleep, args=(600,))
thread.start()
print(flush=True)
ctypes.CDLL(None).pthread_exit(None)
"""
    process = begin(identity, program)
    while process.status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.01)
    assert processes.is_alive(process)
    processes.end([process], grace=0)
    assert not processes.is_alive(process)
