"""What goes wrong, and what is left afterwards."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import textwrap
import time

import pytest

from hdictl.drivers.docker.engine import Engine
from hdictl.drivers.docker.image import ensure_image
from hdictl.drivers.docker.platform import DockerPlatform
from hdictl.errors import DockerUnavailable, NotRunning, PortInUse, ProcessFailed
from hdictl.ports.machine import NodeState
from hdictl.ports.progress import Silent


def _broker(stack):
    (status,) = stack.platform.status()
    return status.nodes[-1]


def test_a_crash_is_seen_with_last_lines_and_up_heals_it(stack):
    (status,) = stack.up()
    stack.engine.call("kill", "--signal", "KILL", _broker(stack).process)
    stack.engine.call("wait", _broker(stack).process)

    crashed = _broker(stack)
    assert crashed.state is NodeState.CRASHED
    assert crashed.last_lines

    (healed,) = stack.up()
    assert healed.is_running
    assert (healed.cluster_id, healed.bootstrap) == (status.cluster_id, status.bootstrap)


def test_a_broker_killed_on_request_is_stopped_and_comes_back_at_once_on_its_port(stack):
    stack.up()
    address = _broker(stack).address

    assert stack.platform.kill_broker("ingest", 1001).state is NodeState.STOPPED
    assert stack.platform.endpoints() == {}
    with pytest.raises(NotRunning, match="broker 1001 does not run"):
        stack.platform.kill_broker("ingest", 1001)
    # At once: ZooKeeper still holds the registration of the killed one.
    restarted = stack.platform.restart_broker("ingest", 1001, Silent())

    assert restarted.state is NodeState.RUNNING
    assert restarted.address == address


def test_a_lost_state_folder_loses_nothing(stack):
    stack.up()
    before = stack.platform.endpoints()
    shutil.rmtree(stack.folder)

    assert stack.platform.endpoints() == before
    assert stack.platform.status()[0].is_running
    assert stack.platform.down(keep_data=False, progress=Silent()) == 2
    assert stack.leftovers() == []


def test_down_leaves_nothing_and_twice_is_fine(stack):
    stack.up()

    assert stack.platform.down(keep_data=False, progress=Silent()) == 2
    assert stack.leftovers() == []
    assert not stack.folder.exists()
    assert stack.platform.down(keep_data=False, progress=Silent()) == 0


def test_kept_data_comes_back_with_new_settings(stack):
    (before,) = stack.up()
    stack.platform.down(keep_data=True, progress=Silent())
    assert {node.state for node in stack.platform.status()[0].nodes} == {NodeState.STOPPED}

    (after,) = stack.up(config={"log.retention.hours": "7"})

    assert (after.cluster_id, after.bootstrap) == (before.cluster_id, before.bootstrap)
    settings = stack.engine.call("inspect", "--format", "{{.Config.Env}}", _broker(stack).process)
    assert "log.retention.hours=7" in settings


def test_a_setting_that_kafka_refuses_is_told_and_nothing_is_left(stack):
    with pytest.raises(ProcessFailed) as caught:
        stack.up(config={"num.network.threads": "none"})

    assert "num.network.threads" in caught.value.what
    assert caught.value.where == "ingest/1001"
    assert stack.leftovers() == []
    assert not stack.folder.exists()


def test_a_failed_scale_out_leaves_what_ran_before(stack):
    (before,) = stack.up()
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        taken = held.getsockname()[1]
        with pytest.raises(PortInUse, match=str(taken)):
            stack.up(brokers=2, port=taken - 1)

    (after,) = stack.platform.status()
    assert after.is_running
    assert [node.process for node in after.nodes] == [node.process for node in before.nodes]


def test_ctrl_c_in_up_leaves_nothing(stack):
    program = f"""
        import sys
        from pathlib import Path
        from hdictl import interrupt
        from hdictl.drivers.docker.platform import DockerPlatform
        from hdictl.ports.machine import BrokerSpec, KafkaSpec
        from hdictl.ports.progress import Silent
        interrupt.listen()
        DockerPlatform({stack.instance!r}, Path({str(stack.folder)!r})).up(
            [KafkaSpec("ingest", (BrokerSpec(1001, 0, 0),))], Silent())
    """
    child = subprocess.Popen([sys.executable, "-c", textwrap.dedent(program)], stderr=subprocess.PIPE, text=True)
    while child.poll() is None and not stack.engine.containers(stack.instance):
        time.sleep(0.1)
    child.send_signal(signal.SIGINT)
    _, complaint = child.communicate(timeout=300)

    assert "KeyboardInterrupt" in complaint
    assert stack.leftovers() == []
    assert not stack.folder.exists()


def test_a_base_that_will_not_do_is_told_with_the_way_out(engine):
    on_nothing = Engine({**os.environ, "HDICTL_DOCKER_BASE": "scratch"})
    with pytest.raises(DockerUnavailable) as caught:
        ensure_image(on_nothing, "3.2.0", Silent())

    assert "could not be built" in caught.value.what
    assert "HDICTL_DOCKER_BASE" in (caught.value.fix or "")


def test_no_engine_at_the_address(engine, tmp_path):
    nobody = Engine({**os.environ, "DOCKER_HOST": f"unix://{tmp_path}/nobody.sock"})
    platform = DockerPlatform("x", tmp_path / "x", nobody)

    for call in (platform.status, platform.endpoints, lambda: platform.down(keep_data=False, progress=Silent())):
        with pytest.raises(DockerUnavailable, match="no Docker engine answers"):
            call()
