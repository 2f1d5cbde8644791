"""What goes wrong on a machine: crashes, ports taken, bad settings, Ctrl-C, a damaged record, a kill in between."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import threading
import time
from itertools import islice

import psutil
import pytest

from hdictl.errors import NotRunning, PortInUse, ProcessFailed, RecordDamaged, UsageError
from hdictl.ports.machine import NodeState
from hdictl.ports.progress import Silent

_UP = """
import sys
from pathlib import Path
from hdictl import interrupt
from hdictl.drivers.local.platform import LocalPlatform
from hdictl.ports.machine import BrokerSpec, KafkaSpec
from hdictl.ports.progress import Silent
interrupt.listen()
spec = KafkaSpec("ingest", (BrokerSpec(1001, 0, 0), BrokerSpec(1002, 1, 1)))
LocalPlatform(sys.argv[1], Path(sys.argv[2])).up([spec], Silent())
"""


def test_a_killed_broker_is_stopped_and_comes_back_on_its_port(stack):
    stack.up(brokers=2)
    address = stack.platform.status()[0].nodes[1].address
    killed = stack.platform.kill_broker("ingest", 1001)
    assert killed.state is NodeState.STOPPED
    assert killed.last_lines
    with pytest.raises(NotRunning, match="1001 does not run"):
        stack.platform.kill_broker("ingest", 1001)
    restarted = stack.platform.restart_broker("ingest", 1001, Silent())
    assert restarted.state is NodeState.RUNNING
    assert restarted.address == address


def test_a_crash_is_seen_and_up_repairs_it(stack):
    stack.up(brokers=2)
    crash(stack, "1002")
    crashed = stack.platform.status()[0].nodes[2]
    assert crashed.state is NodeState.CRASHED
    assert crashed.process is None
    assert any("1002" in line for line in crashed.last_lines)
    survivor = stack.nodes()["1001"]
    stack.up(brokers=2)
    assert stack.nodes()["1002"][0] == "running"
    assert stack.nodes()["1001"] == survivor


def test_everything_crashed_as_in_a_reboot_and_up_brings_it_back(stack):
    stack.up()
    cluster_id = stack.platform.status()[0].cluster_id
    for name in ("zookeeper", "1001"):
        crash(stack, name)
    assert {state for state, _ in stack.nodes().values()} == {"crashed"}
    stack.up()
    assert {state for state, _ in stack.nodes().values()} == {"running"}
    assert stack.platform.status()[0].cluster_id == cluster_id


def test_a_zookeeper_that_crashed_comes_back_under_living_brokers(stack):
    stack.up(brokers=2)
    brokers = {name: stack.nodes()[name] for name in ("1001", "1002")}
    crash(stack, "zookeeper")
    assert stack.nodes()["zookeeper"][0] == "crashed"
    stack.up(brokers=2)
    assert stack.nodes()["zookeeper"][0] == "running"
    assert {name: stack.nodes()[name] for name in brokers} == brokers


def test_a_folder_with_blanks_and_letters_of_any_language(new_stack):
    stack = new_stack("bücher und 書 1")
    stack.up()
    data = stack.folder / "ingest" / "1001" / "data" / "meta.properties"
    assert "broker.id=1001" in data.read_text()


def test_a_broker_that_refuses_its_settings_is_reported_and_nothing_is_left(stack):
    with pytest.raises(ProcessFailed) as failure:
        stack.up(config={"log.retention.hours": "many"})
    assert "broker 1001 ended while it started" in failure.value.what
    assert "Invalid value many for configuration log.retention.hours" in failure.value.what
    kept = stack.folder.with_name(f"{stack.folder.name}.failed.log")
    assert str(kept) in failure.value.fix
    assert "log.retention.hours" in kept.read_text()
    assert stack.processes() == {}
    assert not stack.folder.exists()
    stack.up()
    assert stack.nodes()["1001"][0] == "running"


def test_a_broker_that_fails_to_join_leaves_the_others_running(stack):
    stack.up()
    before = stack.nodes()
    with pytest.raises(ProcessFailed):
        stack.up(brokers=2, config={"log.retention.hours": "many"})
    assert stack.nodes() == before
    assert not (stack.folder / "ingest" / "1002").exists()


def test_a_fixed_port_in_use_names_its_owner(stack):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(PortInUse) as failure:
            stack.up(port=port)
    assert f"port {port} is in use by process {psutil.Process().pid}" in failure.value.what
    assert not stack.folder.exists()
    stack.up(port=port)
    assert stack.platform.endpoints()["ingest"].bootstrap == f"127.0.0.1:{port}"


def test_a_port_that_someone_took_meanwhile_is_exchanged(stack):
    stack.up()
    old = stack.platform.endpoints()["ingest"].bootstrap
    stack.down(keep_data=True)
    with socket.create_server(("127.0.0.1", int(old.rpartition(":")[2]))):
        stack.up()
    new = stack.platform.endpoints()["ingest"].bootstrap
    assert new != old
    assert stack.nodes()["1001"][0] == "running"


@pytest.mark.parametrize("interrupts", [1, 3])
def test_ctrl_c_in_up_leaves_nothing(stack, interrupts):
    command = start_up(stack)
    wait_for(lambda: len(stack.processes()) >= 2)
    for _ in range(interrupts):
        command.send_signal(signal.SIGINT)
    _, errors = command.communicate(timeout=300)
    assert command.returncode != 0
    assert "KeyboardInterrupt" in errors
    assert stack.processes() == {}
    assert not stack.folder.exists()


def test_a_command_killed_in_up_is_continued_by_the_next(stack):
    command = start_up(stack)
    wait_for(lambda: len(stack.processes()) >= 2)
    command.kill()
    command.communicate(timeout=300)
    stack.up(brokers=2)
    assert {state for state, _ in stack.nodes().values()} == {"running"}
    assert len(stack.processes()) == 3


def test_two_ups_at_once_make_one_cluster(stack):
    commands = [start_up(stack), start_up(stack)]
    for command in commands:
        _, errors = command.communicate(timeout=300)
        assert command.returncode == 0, errors
    assert sorted(name for name in stack.processes().values() if "class-archive" not in name) == [
        "ingest/1001",
        "ingest/1002",
        "ingest/zookeeper",
    ]


def test_a_damaged_record_is_said_and_down_still_finds_everything(stack):
    stack.up()
    (stack.folder / "instance.json").write_text('{"format": 1, "clus')
    with pytest.raises(RecordDamaged, match=r"instance\.json"):
        stack.platform.status()
    with pytest.raises(RecordDamaged):
        stack.up()
    assert stack.down(keep_data=True) == 2
    stack.up()
    assert {state for state, _ in stack.nodes().values()} == {"running"}
    (stack.folder / "instance.json").write_text("")
    assert stack.down() == 2
    assert stack.processes() == {}
    assert not stack.folder.exists()


def test_a_record_that_names_a_strangers_process_never_touches_it(stack):
    stack.up()
    stranger = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    try:
        crash(stack, "1001")
        record = json.loads((stack.folder / "instance.json").read_text())
        recycled = {"pid": stranger.pid, "started": psutil.Process(stranger.pid).create_time()}
        record["clusters"]["ingest"]["nodes"]["1001"].update(recycled)
        (stack.folder / "instance.json").write_text(json.dumps(record))
        assert stack.nodes()["1001"] == ("crashed", None)
        with pytest.raises(NotRunning):
            stack.platform.kill_broker("ingest", 1001)
        stack.down()
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_logs_show_the_end_and_follow(stack):
    stack.up()
    lines = list(stack.platform.logs("ingest", "1001", lines=5, follow=False))
    assert len(lines) == 5
    followed = stack.platform.logs("ingest", "zookeeper", lines=1, follow=True)
    assert len(list(islice(followed, 1))) == 1
    log = stack.folder / "ingest" / "zookeeper" / "node.log"
    writer = threading.Timer(0.5, lambda: log.open("a").write("a new line\n"))
    writer.start()
    assert next(line for line in followed if line == "a new line")
    with pytest.raises(UsageError, match="there are: zookeeper, 1001"):
        stack.platform.logs("ingest", "1009", lines=1, follow=False)


def start_up(stack):
    return subprocess.Popen(
        [sys.executable, "-c", _UP, stack.name, str(stack.folder)], stderr=subprocess.PIPE, text=True
    )


def crash(stack, node):
    """Kill it behind the platform's back."""
    victim = next(process for process, name in stack.processes().items() if name == f"ingest/{node}")
    victim.kill()
    victim.wait(120)


def wait_for(condition, seconds=300):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)
