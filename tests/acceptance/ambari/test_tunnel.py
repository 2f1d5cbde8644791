"""The SSH tunnel with a real sshd: real Kafka through it, what it refuses, and how it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from hdictl.drivers.azure.secrets import SecretText
from hdictl.drivers.kafka.admin import connect
from hdictl.drivers.kafka.records import records
from hdictl.drivers.ssh_tunnel import tunnel
from hdictl.errors import KafkaUnreachable, TunnelFailed
from hdictl.ports.kafka import Endpoint, NewTopic
from tests.acceptance.ambari.ssh_server import can_have_passwords

CANARY = "Canary pass $7731"


def proxies(port: int) -> list[psutil.Process]:
    """Living ssh clients that log in at this port."""
    found = []
    for process in psutil.process_iter(["name", "cmdline", "status"]):
        words = process.info["cmdline"] or []
        if process.info["name"] == "ssh" and str(port) in words and process.info["status"] != psutil.STATUS_ZOMBIE:
            found.append(process)
    return found


def test_topics_of_a_real_cluster_through_the_tunnel(ssh_server, kafka3):
    server = ssh_server()
    with tunnel("127.0.0.1", server.port, server.user, server.key, None) as proxy:
        assert proxy.startswith("socks5h://127.0.0.1:")
        # `localhost` is resolved at the other end, as the names of HDInsight's nodes are.
        bootstrap = kafka3.bootstrap.replace("127.0.0.1", "localhost")
        endpoint = Endpoint("ingest", bootstrap, cluster_id=kafka3.cluster_id, proxy=proxy)
        with connect(endpoint) as kafka:
            kafka.create_topics([NewTopic("tunnelled", ((1001, 1002, 1003),) * 3, {"retention.ms": "60000"})])
            kafka.settle({"tunnelled": 3})
            kafka.alter_config("tunnelled", {"retention.ms": "120000"})
            topic = kafka.observe().topics["tunnelled"]
            assert (topic.partitions, topic.config) == (3, {"retention.ms": "120000"})
            assert len(kafka.health().brokers) == 3
            kafka.delete_topics(["tunnelled"])
            kafka.settle({"tunnelled": 0})
        with pytest.raises(KafkaUnreachable, match="SOCKS proxy") as refusal, records(endpoint):
            pass
        assert "inside the VNet" in refusal.value.fix
    assert "Accepted publickey" in server.log
    assert proxies(server.port) == []


def test_without_the_tunnel_there_is_no_way(ssh_server, kafka3):
    server = ssh_server()
    with tunnel("127.0.0.1", server.port, server.user, server.key, None) as proxy:
        pass
    with pytest.raises(KafkaUnreachable), connect(Endpoint("ingest", kafka3.bootstrap, proxy=proxy)):
        pass


@pytest.mark.skipif(not can_have_passwords(), reason="a password of its own needs root and a mount namespace")
def test_a_password_stands_nowhere(ssh_server, tmp_path):
    server = ssh_server(password=CANARY)
    with tunnel("127.0.0.1", server.port, server.user, None, SecretText(CANARY)):
        for process in proxies(server.port):
            for one in (process, *process.parents()[:1], *process.children()):
                assert CANARY not in " ".join(one.cmdline())
                assert CANARY not in str(one.environ())
        kept = [file for file in (tmp_path / "state").rglob("*") if file.is_file()]
        assert not [file for file in kept if CANARY in file.read_text(errors="replace")]
    assert "Accepted password" in server.log
    assert [file.name for file in (tmp_path / "state" / "ssh").iterdir()] == ["known_hosts"]
    with (
        pytest.raises(TunnelFailed, match="Permission denied") as refusal,
        tunnel("127.0.0.1", server.port, server.user, None, SecretText("wrong")),
    ):
        pass
    assert "secrets.ssh" in refusal.value.fix


def test_a_key_that_the_server_does_not_know(ssh_server):
    server, other = ssh_server(), ssh_server()
    with (
        pytest.raises(TunnelFailed, match="Permission denied") as refusal,
        tunnel("127.0.0.1", server.port, server.user, other.key, None),
    ):
        pass
    assert f":{server.port}" in refusal.value.where
    assert proxies(server.port) == []


def test_a_changed_host_key_is_never_believed(ssh_server):
    server = ssh_server()
    with tunnel("127.0.0.1", server.port, server.user, server.key, None):
        pass
    server.__exit__()
    server.forget_host_key()
    with (
        server,
        pytest.raises(TunnelFailed, match="Host key verification failed") as refusal,
        tunnel("127.0.0.1", server.port, server.user, server.key, None),
    ):
        pass
    assert "known_hosts" in refusal.value.fix


def test_a_server_that_forwards_nothing_is_noticed_at_once(ssh_server):
    server = ssh_server(forwarding=False)
    with (
        pytest.raises(TunnelFailed, match="does not forward connections") as refusal,
        tunnel("127.0.0.1", server.port, server.user, server.key, None),
    ):
        pass
    assert "AllowTcpForwarding" in refusal.value.fix


def test_nobody_listens(ssh_server):
    server = ssh_server()
    server.__exit__()
    with (
        pytest.raises(TunnelFailed, match="Connection refused"),
        tunnel("127.0.0.1", server.port, server.user, server.key, None),
    ):
        pass


def test_no_ssh_on_this_machine(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with (
        pytest.raises(TunnelFailed, match="OpenSSH client is not installed") as refusal,
        tunnel("127.0.0.1", 22, "sshuser", None, None),
    ):
        pass
    assert "apt-get install openssh-client" in refusal.value.fix


def test_a_key_file_that_is_not_there(tmp_path):
    with (
        pytest.raises(TunnelFailed, match="no key file") as refusal,
        tunnel("127.0.0.1", 22, "sshuser", tmp_path / "nothing", None),
    ):
        pass
    assert "private_key_file" in refusal.value.fix


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_ssh_ends_when_hdictl_does(ssh_server, tmp_path, how):
    server = ssh_server()
    script = (
        "import sys, time; from pathlib import Path\n"
        "from hdictl.drivers.ssh_tunnel import tunnel\n"
        f"with tunnel('127.0.0.1', {server.port}, {server.user!r}, Path({str(server.key)!r}), None) as proxy:\n"
        "    print(proxy, flush=True); time.sleep(600)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline().startswith("socks5h://")
    assert len(proxies(server.port)) == 1
    child.send_signal(how)
    child.wait(120)
    deadline = time.monotonic() + 120
    while proxies(server.port):
        assert time.monotonic() < deadline, "ssh goes on without anybody who needs it"
        time.sleep(0.05)


def test_ctrl_c_on_the_terminal_does_not_reach_ssh(ssh_server):
    """What goes on when Ctrl-C is typed may be finished through the tunnel."""
    server = ssh_server()
    with tunnel("127.0.0.1", server.port, server.user, server.key, None):
        (ssh,) = proxies(server.port)
        assert os.getpgid(ssh.pid) != os.getpgid(0)
        assert os.getsid(ssh.pid) != os.getsid(0)


def test_the_path_of_the_state_may_have_blanks_and_percent_signs(ssh_server, tmp_path, monkeypatch):
    server = ssh_server()
    monkeypatch.setenv("HDICTL_STATE_DIR", str(tmp_path / "100% of a blank"))
    with tunnel("127.0.0.1", server.port, server.user, server.key, None):
        pass
    assert Path(tmp_path / "100% of a blank" / "ssh" / "known_hosts").read_text()
