"""`access: ssh`, the whole way: Ambari knows the brokers, a real sshd leads to them, real Kafka answers."""

from __future__ import annotations

from contextlib import ExitStack

from hdictl.drivers.kafka.admin import connect
from hdictl.drivers.reach import reach
from hdictl.plan.cloud import CloudCluster
from hdictl.stack.model import Stack
from tests.fakes.azure.ambari import AmbariServer, AmbariWorld

PASSWORD = "Canary-Pass-7731!"


class OneCluster:
    """As much of Azure as is asked for here: a cluster that runs, and where its endpoints are."""

    def __init__(self, https: int, ssh: int) -> None:
        listed = [
            {"name": "HTTPS", "location": "localhost", "port": https},
            {"name": "SSH", "location": "127.0.0.1", "port": ssh},
        ]
        state = {"clusterState": "Running", "provisioningState": "Succeeded", "connectivityEndpoints": listed}
        self._cluster = CloudCluster("ingest-demo", "/ingest-demo", {"properties": state})

    def cluster(self, name: str) -> CloudCluster:
        assert name == "ingest-demo"
        return self._cluster


def test_brokers_are_found_and_reached(ssh_server, kafka3, monkeypatch):
    server = ssh_server()
    first = kafka3.bootstrap.split(",")[0].rpartition(":")[2]
    world = AmbariWorld("ingest-demo")
    world.hosts = dict.fromkeys(world.hosts, "127.0.0.1")
    world.write("kafka-broker", "version2", {"listeners": f"PLAINTEXT://localhost:{first}"}, {})
    stack = Stack.model_validate(
        {
            "stack": "demo",
            "secrets": {
                "gateway": {"env": "GATEWAY_PASSWORD"},
                "ssh": {"user": server.user, "private_key_file": server.key.name},
            },
            "clusters": {"ingest": {"kind": "kafka", "access": "ssh"}},
        }
    )
    monkeypatch.setenv("GATEWAY_PASSWORD", PASSWORD)
    with AmbariServer(world, user="admin", password=PASSWORD) as ambari, ExitStack() as held:
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", ambari.bundle)
        endpoint = reach(stack, "ingest", OneCluster(ambari.port, server.port), held, server.key.parent)
        assert endpoint.bootstrap == ",".join([f"127.0.0.1:{first}"] * 3)
        assert (endpoint.proxy or "").startswith("socks5h://127.0.0.1:")
        with connect(endpoint) as kafka:
            assert kafka.observe().cluster_id == kafka3.cluster_id
            assert len(kafka.health().brokers) == 3
    assert "Accepted publickey" in server.log
