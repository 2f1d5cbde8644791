"""A rolling restart of real brokers: producers that want all replicas never hear a no."""

from __future__ import annotations

import threading
import time

import pytest
from confluent_kafka import Producer

from hdictl.drivers.ambari.client import connect
from hdictl.drivers.azure.secrets import SecretText
from hdictl.drivers.kafka.admin import connect as kafka_connect
from hdictl.drivers.kafka.records import records
from hdictl.errors import PlanRefused
from hdictl.ports.ambari import ConfigEdit
from hdictl.ports.kafka import NewTopic
from hdictl.ports.progress import Silent
from hdictl.workflow.ambari_requests import Pace
from hdictl.workflow.brokers_plan import plan_restart
from hdictl.workflow.brokers_restart import RollingRestart
from tests.fakes.azure.ambari import AmbariServer, AmbariWorld
from tests.fakes.azure.ambari.brokers import bind

PACE = Pace(pause=0.2, request=300, leave=300, rejoin=300)
ASSIGNMENT = ((1001, 1002, 1003), (1002, 1003, 1001), (1003, 1001, 1002)) * 2


class Writer(threading.Thread):
    """Writes without pause, each record to all in-sync replicas, of which two must be there."""

    def __init__(self, bootstrap: str) -> None:
        super().__init__(daemon=True)
        self._producer = Producer(
            {"bootstrap.servers": bootstrap, "acks": "all", "enable.idempotence": True, "message.timeout.ms": 300_000}
        )
        self._end = threading.Event()
        self.sent = 0
        self.failures: list[str] = []

    def run(self) -> None:
        while not self._end.is_set():
            self._producer.produce("orders", str(self.sent).encode(), on_delivery=self._delivered)
            self.sent += 1
            self._producer.poll(0.002)
        self._producer.flush(300)

    def stop(self) -> None:
        self._end.set()
        self.join(400)

    def _delivered(self, error, message) -> None:
        if error is not None:
            self.failures.append(str(error))


class Watched:
    """Kafka's health, what it was each time somebody looked, and how many brokers had been stopped by then."""

    def __init__(self, kafka, world: AmbariWorld) -> None:
        self._kafka = kafka
        self._world = world
        self.seen: list[tuple[int, int, int]] = []

    def health(self):
        health = self._kafka.health()
        stops = sum(line.startswith("stop ") for line in self._world.history)
        self.seen.append((len(health.brokers), len(health.under_replicated), stops))
        return health

    def observe(self):
        return self._kafka.observe()


@pytest.mark.slow
def test_clients_notice_nothing(platform, monkeypatch):
    endpoint = platform.endpoints()["ingest"]
    world = AmbariWorld("ingest-demo")
    bind(world, platform, "ingest")
    before = {node.name: node.process for node in platform.status()[0].nodes}
    with (
        AmbariServer(world, user="admin", password="Secret-7731") as server,
        kafka_connect(endpoint) as kafka,
    ):
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", server.bundle)
        kafka.create_topics([NewTopic("orders", ASSIGNMENT, {"min.insync.replicas": "2"})])
        kafka.settle({"orders": len(ASSIGNMENT)})
        writer = Writer(endpoint.bootstrap)
        writer.start()
        watched = Watched(kafka, world)
        with connect("ingest-demo", "localhost", server.port, "admin", SecretText("Secret-7731")) as ambari:
            ambari.write_configs([ConfigEdit(ambari.config("kafka-broker"), {"num.io.threads": "16"})])
            plan = plan_restart("ingest", ambari, watched, everyone=False)
            done = RollingRestart(plan, ambari, watched, Silent(), PACE).run()
            assert ambari.stale() == ()
        writer.stop()
        after = {node.name: node.process for node in platform.status()[0].nodes}
        health = kafka.health()

    assert sorted(done) == sorted(world.brokers)
    assert all(after[name] != before[name] for name in ("1001", "1002", "1003")), "every broker is another process"
    assert after["zookeeper"] == before["zookeeper"]
    assert min(brokers for brokers, *_ in watched.seen) == 2, "two were always there"
    last_looks = {stops: (brokers, lacking) for brokers, lacking, stops in watched.seen}
    assert [last_looks[stops] for stops in range(4)] == [(3, 0)] * 4, "replicas were waited for before every stop"
    assert (len(health.brokers), health.under_replicated) == (3, frozenset())
    assert writer.failures == []
    with records(endpoint) as stream:
        values = {record.value for record in stream.read("orders", from_beginning=True, limit=None, follow=False)}
    assert values == {str(number).encode() for number in range(writer.sent)}


def test_nothing_is_stopped_while_a_broker_is_missing(platform, monkeypatch):
    endpoint = platform.endpoints()["ingest"]
    world = AmbariWorld("ingest-demo")
    bind(world, platform, "ingest")
    with AmbariServer(world, user="admin", password="Secret-7731") as server, kafka_connect(endpoint) as kafka:
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", server.bundle)
        kafka.create_topics([NewTopic("orders", ASSIGNMENT, {})])
        kafka.settle({"orders": len(ASSIGNMENT)})
        platform.kill_broker("ingest", 1002)
        with connect("ingest-demo", "localhost", server.port, "admin", SecretText("Secret-7731")) as ambari:
            # Ambari has not noticed; Kafka, which is asked broker by broker, has.
            with pytest.raises(PlanRefused, match="Kafka has 2 of 3 brokers"):
                plan_restart("ingest", ambari, kafka, everyone=True)
            platform.restart_broker("ingest", 1002, Silent())
            deadline = time.monotonic() + 300
            while kafka.health().under_replicated:
                assert time.monotonic() < deadline, "replicas never came back"
                time.sleep(0.1)
            assert len(plan_restart("ingest", ambari, kafka, everyone=True).todo) == 3
    assert world.history == []
