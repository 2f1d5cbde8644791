"""The rolling restart over the real client and a fake Ambari, with a Kafka that follows what Ambari does."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field

import pytest

from hdictl.errors import ApplyFailed, Interrupted, KafkaUnreachable, PlanRefused
from hdictl.plan.observed import ObservedCluster, ObservedTopic
from hdictl.ports.ambari import KAFKA_BROKER, ConfigEdit
from hdictl.ports.health import KafkaHealth
from hdictl.ports.progress import Silent
from hdictl.workflow.ambari_requests import Pace
from hdictl.workflow.brokers_plan import plan_restart
from hdictl.workflow.brokers_restart import RollingRestart
from tests.fakes.azure.ambari import AmbariWorld
from tests.fakes.azure.ambari.world import host_names

WN0, WN1, WN3 = (f"wn{number}-ingest.ab12cd.bx.internal.cloudapp.net" for number in (0, 1, 3))
QUICK = Pace(pause=0.001, request=20, leave=5, rejoin=5)


@dataclass
class Kafka:
    """Knows which brokers run; a broker that is back takes some looks until its replicas are in sync."""

    world: AmbariWorld
    controller: int = 1001
    behind: int = 0
    is_lost: bool = False  # replicas never catch up
    catch_up: int = 3
    looks: int = 0
    seen: list[tuple[int, int]] = field(default_factory=list)  # (brokers, under-replicated)
    replicas: dict[str, int] = field(default_factory=dict)
    overrides: dict[str, dict[str, str]] = field(default_factory=dict)  # topic → its settings

    def health(self) -> KafkaHealth:
        self.looks += 1
        running = {1001 + number: host for number, host in enumerate(self.world.brokers) if self._runs(host)}
        if len(running) < len(self.world.brokers):
            self.behind = self.catch_up
        elif self.behind and not self.is_lost:
            self.behind -= 1
        lacking = frozenset({("orders", partition) for partition in range(self.behind)})
        self.seen.append((len(running), len(lacking)))
        if self.looks % 3 == 0 and (self.behind or len(running) < len(self.world.brokers)):
            raise KafkaUnreachable("the broker that was asked went away")
        return KafkaHealth(running, self.controller, lacking, frozenset(), self.replicas)

    def observe(self) -> ObservedCluster:
        topics = {name: ObservedTopic(name, (), config) for name, config in self.overrides.items()}
        return ObservedCluster("ingest", "id", self.controller, (), topics)

    def _runs(self, host: str) -> bool:
        return self.world.part(host, KAFKA_BROKER).state in ("STARTED", "STOPPING")


@pytest.fixture
def kafka(server):
    return Kafka(server.world)


@pytest.fixture
def changed(client):
    """Every broker needs a restart."""
    client.write_configs([ConfigEdit(client.config("kafka-broker"), {"num.io.threads": "16"})])


def restart(client, kafka, *, everyone=False):
    plan = plan_restart("ingest", client, kafka, everyone=everyone)
    return RollingRestart(plan, client, kafka, Silent(), QUICK).run()


def test_one_at_a_time_the_controller_last(client, server, kafka, changed):
    assert restart(client, kafka) == (WN1, WN3, WN0)
    words = ("maintenance on", "stop", "start", "maintenance off")
    assert server.world.history == [f"{word} {host}" for host in (WN1, WN3, WN0) for word in words]
    assert min(brokers for brokers, _ in kafka.seen) == 2
    assert client.stale() == ()


def test_the_next_one_waits_until_replicas_are_in_sync(client, server, kafka, changed):
    stops = []
    begin = server.world.begin

    def watch(part, goal, context):
        if goal == "INSTALLED":
            stops.append(kafka.seen[-1])
        return begin(part, goal, context)

    server.world.begin = watch
    restart(client, kafka)
    assert stops == [(3, 0)] * 3


def test_brokers_that_are_up_to_date_are_left_alone(client, server, kafka):
    plan = plan_restart("ingest", client, kafka, everyone=False)
    assert (plan.todo, plan.current) == ((), (WN0, WN1, WN3))
    assert len(plan_restart("ingest", client, kafka, everyone=True).todo) == 3


def test_topics_that_a_restart_stops_are_named_before(client, kafka, changed):
    kafka.replicas = {"single": 1, "pair": 2, "loose-pair": 2, "strict": 3, "orders": 3, "__consumer_offsets": 3}
    kafka.overrides = {"loose-pair": {"min.insync.replicas": "1"}, "strict": {"min.insync.replicas": "3"}}
    plan = plan_restart("ingest", client, kafka, everyone=False)
    assert (plan.away, plan.unwritable) == (("single",), ("pair", "strict"))


def test_refused_when_partitions_lack_a_replica(client, server, kafka, changed):
    kafka.behind, kafka.is_lost = 7, True
    with pytest.raises(PlanRefused, match=r"nothing was touched: 7 partitions lack a replica \(orders/0, .* …\)"):
        restart(client, kafka)
    assert server.world.history == []


def test_refused_when_a_broker_is_dead(client, server, kafka, changed):
    server.world.part(WN1, KAFKA_BROKER).state = "INSTALLED"
    with pytest.raises(PlanRefused, match=f"not running on {WN1}"):
        restart(client, kafka)


def test_refused_when_kafka_misses_one_that_ambari_calls_started(client, server, kafka, changed):
    server.world.join(host_names("Ingest-Demo", 4))
    kafka.world = AmbariWorld("Ingest-Demo")  # Kafka knows three
    with pytest.raises(PlanRefused, match="Kafka has 3 of 4 brokers"):
        restart(client, kafka)


def test_refused_when_a_host_is_lost(client, server, kafka, changed):
    server.world.lost.add(WN3)
    with pytest.raises(PlanRefused, match=f"lost contact with {WN3}"):
        restart(client, kafka)


def test_a_broker_that_does_not_start_ends_it_and_the_next_run_begins_there(client, server, kafka, changed):
    server.world.failures[WN3, "STARTED"] = "Fail: Address already in use"
    with pytest.raises(ApplyFailed) as failure:
        restart(client, kafka)
    assert "Address already in use" in failure.value.what
    assert f"1 of 3 brokers are restarted: {WN1}" in failure.value.what
    assert "hdictl ambari restart ingest" in failure.value.fix
    assert failure.value.where == WN3

    plan = plan_restart("ingest", client, kafka, everyone=False)
    assert plan.unfinished == (WN3,)
    assert RollingRestart(plan, client, kafka, Silent(), QUICK).run() == (WN3, WN0)
    assert {part.maintenance for part in server.world.parts} == {"OFF"}
    assert client.stale() == ()


@pytest.mark.parametrize("goal", ["INSTALLED", "STARTED"])
def test_a_run_that_was_killed_is_picked_up(client, server, kafka, changed, goal):
    """It left a broker in maintenance, and Ambari at work on it."""
    broker = server.world.part(WN1, KAFKA_BROKER)
    broker.maintenance = "ON"
    broker.state = {"INSTALLED": "STARTED", "STARTED": "INSTALLED"}[goal]
    server.world.begin(broker, goal, "by a run that died")
    assert restart(client, kafka) == (WN1, WN3, WN0)
    assert {part.state for part in server.world.parts} == {"STARTED"}
    assert {part.maintenance for part in server.world.parts} == {"OFF"}
    assert client.stale() == ()


def test_a_broker_that_does_not_stop_is_taken_out_of_maintenance(client, server, kafka, changed):
    server.world.failures[WN1, "INSTALLED"] = "Fail: timeout"
    with pytest.raises(ApplyFailed, match="Fail: timeout"):
        restart(client, kafka)
    assert server.world.part(WN1, KAFKA_BROKER).maintenance == "OFF"


def test_a_broker_that_somebody_keeps_in_maintenance_stays_there(client, server, kafka, changed):
    server.world.part(WN1, KAFKA_BROKER).maintenance = "ON"
    restart(client, kafka)
    assert server.world.part(WN1, KAFKA_BROKER).maintenance == "ON"


def test_replicas_that_never_come_back_end_it(client, kafka, changed):
    kafka.is_lost = True
    plan = plan_restart("ingest", client, kafka, everyone=False)
    hasty = Pace(pause=0.001, request=20, leave=5, rejoin=0.2)
    with pytest.raises(ApplyFailed, match="3 partitions are not in sync after"):
        RollingRestart(plan, client, kafka, Silent(), hasty).run()


def test_a_kafka_that_is_not_this_clusters_is_noticed(client, kafka, changed):
    kafka.world = AmbariWorld("Ingest-Demo")  # another cluster, which never loses a broker
    plan = plan_restart("ingest", client, kafka, everyone=False)
    hasty = Pace(pause=0.001, request=20, leave=0.2, rejoin=5)
    with pytest.raises(ApplyFailed, match="stopped, yet 3 brokers answer as before"):
        RollingRestart(plan, client, kafka, Silent(), hasty).run()


@pytest.mark.parametrize("when", [f"{WN3}: stopping", f"{WN3}: starting"])
def test_ctrl_c_leaves_no_broker_down(client, server, kafka, changed, when):
    class CtrlC(Silent):
        def step(self, message: str) -> None:
            if message == when:
                type(self).step = Silent.step
                raise KeyboardInterrupt

    plan = plan_restart("ingest", client, kafka, everyone=False)
    with pytest.raises(Interrupted, match="1 of 3 brokers are restarted") as failure:
        RollingRestart(plan, client, kafka, CtrlC(), QUICK).run()
    assert "hdictl ambari restart ingest" in failure.value.fix
    assert {part.state for part in server.world.parts} == {"STARTED"}
    assert {part.maintenance for part in server.world.parts} == {"OFF"}
    while kafka.behind:  # whoever runs it again at once is told to wait
        with suppress(KafkaUnreachable):
            kafka.health()
    assert WN0 in restart(client, kafka)
    assert client.stale() == ()


def test_ctrl_c_while_ambari_stops_the_broker(client, server, kafka, changed):
    """The stop is under way: it is awaited, then the broker is started."""

    pressed = []

    class Client:
        def __getattr__(self, name):
            return getattr(client, name)

        def request(self, id):
            if not pressed:
                pressed.append(id)
                raise KeyboardInterrupt
            return client.request(id)

    plan = plan_restart("ingest", client, kafka, everyone=False)
    with pytest.raises(Interrupted, match="0 of 3"):
        RollingRestart(plan, Client(), kafka, Silent(), QUICK).run()
    assert server.world.history == [f"{word} {WN1}" for word in ("maintenance on", "stop", "start", "maintenance off")]
    assert {part.state for part in server.world.parts} == {"STARTED"}
