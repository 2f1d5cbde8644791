"""Which brokers to restart, in which order, and whether one may be missing at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hdictl.errors import PlanRefused
from hdictl.ports.ambari import KAFKA_BROKER, AmbariReader, Component, Host
from hdictl.ports.health import KafkaHealth
from hdictl.ports.kafka import ClusterReader

BROKER_LOG = "/var/log/kafka/server.log"
_UNTOUCHED = "nothing was touched: "
_MINIMUM = "min.insync.replicas"


@dataclass(frozen=True)
class RestartPlan:
    cluster: str  # as the stack calls it
    brokers: int
    todo: tuple[Component, ...]  # in order
    current: tuple[str, ...]  # hosts whose broker is up to date
    away: tuple[str, ...] = ()  # topics with one replica: parts of them are away while a broker restarts
    unwritable: tuple[str, ...] = ()  # no more replicas than must be in sync: producers of acks=all have to wait

    @property
    def unfinished(self) -> tuple[str, ...]:
        """Hosts whose restart was cut off."""
        return tuple(component.host for component in self.todo if not component.is_started)


def plan_restart(cluster: str, ambari: AmbariReader, kafka: ClusterReader, *, everyone: bool) -> RestartPlan:
    """Which brokers, in which order; refuses when one more broker must not be missing."""
    hosts = [host for host in ambari.hosts() if host.component(KAFKA_BROKER)]
    brokers = {host.name: _broker_on(host) for host in hosts}
    health = kafka.health()
    down = [broker for broker in brokers.values() if not broker.is_started]
    unfinished = [broker for broker in down if broker.in_maintenance]
    _require_alive(cluster, hosts, [broker for broker in down if not broker.in_maintenance])
    if not unfinished:
        _require_well(cluster, health, len(brokers))
    wanted = [broker for broker in brokers.values() if broker.is_started and (everyone or broker.is_stale)]
    ordered = _controller_last(wanted, {host.name: host.ip for host in hosts}, health)
    todo = (*unfinished, *ordered)
    names = {broker.host for broker in todo}
    current = tuple(name for name in brokers if name not in names)
    if not todo:
        return RestartPlan(cluster, len(brokers), todo, current)
    minimums = _minimums(ambari, kafka, health)
    away = tuple(sorted(topic for topic, replicas in health.replicas.items() if replicas == 1))
    tight = tuple(sorted(topic for topic, replicas in health.replicas.items() if 1 < replicas <= minimums[topic]))
    return RestartPlan(cluster, len(brokers), todo, current, away, tight)


def _require_well(cluster: str, health: KafkaHealth, brokers: int) -> None:
    """One broker may be missing only when none is, and every partition has all of its replicas."""
    where = f"cluster `{cluster}`"
    if len(health.brokers) < brokers:
        raise PlanRefused(
            f"{_UNTOUCHED}Kafka has {len(health.brokers)} of {brokers} brokers",
            where=where,
            fix=f"bring the missing ones back first; their log is {BROKER_LOG}",
        )
    trouble = sorted(health.lacking)
    if trouble:
        shown = ", ".join(f"{topic}/{partition}" for topic, partition in trouble[:5])
        raise PlanRefused(
            f"{_UNTOUCHED}{len(trouble)} partitions lack a replica ({shown}{' …' if trouble[5:] else ''})",
            where=where,
            fix="wait until they are in sync again; another broker away could stop their producers",
        )


def _require_alive(cluster: str, hosts: Sequence[Host], dead: Sequence[Component]) -> None:
    where = f"cluster `{cluster}`"
    if dead:
        names = ", ".join(broker.host for broker in dead)
        raise PlanRefused(
            f"{_UNTOUCHED}the broker is not running on {names}",
            where=where,
            fix=f"see {BROKER_LOG} there, and start it on Ambari's page of the host",
        )
    lost = [host.name for host in hosts if host.state == "HEARTBEAT_LOST"]
    if lost:
        raise PlanRefused(
            f"{_UNTOUCHED}Ambari has lost contact with {', '.join(lost)}",
            where=where,
            fix="restart the agent there (ambari-agent restart), or the node from the portal",
        )


def _controller_last(
    brokers: Sequence[Component], addresses: Mapping[str, str], health: KafkaHealth
) -> list[Component]:
    """Else the controller's work would move to a broker that is restarted next. Brokers tell names, or addresses."""
    told = health.brokers.get(health.controller or 0, "").lower()
    by_name = sorted(brokers, key=lambda broker: broker.host)
    return sorted(by_name, key=lambda broker: told in (broker.host.lower(), addresses.get(broker.host)))


def _minimums(ambari: AmbariReader, kafka: ClusterReader, health: KafkaHealth) -> dict[str, int]:
    """Topic → replicas that must be in sync for a write: the topic's own word, or that of the brokers."""
    default = ambari.config("kafka-broker").properties.get(_MINIMUM, "1")
    stated = {name: topic.config.get(_MINIMUM, default) for name, topic in kafka.observe().topics.items()}
    return {topic: int(stated.get(topic, default)) for topic in health.replicas}


def _broker_on(host: Host) -> Component:
    (broker,) = [component for component in host.components if component.name == KAFKA_BROKER]
    return broker
