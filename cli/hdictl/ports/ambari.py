"""Ambari, which runs the services on a cluster's nodes: what it knows of them, their settings, and restarts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

KAFKA_BROKER = "KAFKA_BROKER"
ZOOKEEPER_SERVER = "ZOOKEEPER_SERVER"
# HDInsight keeps the keys of storage accounts among the settings, and Ambari gives them to whoever reads.
_SECRET = re.compile(r"passw(or)?d|secret|credential|account\.key|\bsas\b|token$", re.IGNORECASE)


def is_secret(key: str) -> bool:
    """Whether the value of a setting is nobody's to see, as far as its name tells."""
    return _SECRET.search(key) is not None


@dataclass(frozen=True)
class Component:
    """A part of a service on one host, such as the Kafka broker there."""

    host: str
    name: str  # KAFKA_BROKER
    service: str  # KAFKA
    state: str  # STARTED, INSTALLED (which means stopped), STARTING, STOPPING, UNKNOWN …
    is_stale: bool = False  # runs with settings that were changed since
    in_maintenance: bool = False

    @property
    def is_started(self) -> bool:
        return self.state == "STARTED"


@dataclass(frozen=True)
class Host:
    name: str
    ip: str
    state: str  # HEALTHY, HEARTBEAT_LOST, UNHEALTHY …
    components: tuple[Component, ...]

    def component(self, name: str) -> Component | None:
        return next((component for component in self.components if component.name == name), None)


@dataclass(frozen=True)
class Configuration:
    """Every property of one type, such as kafka-broker, as of one tag. A write replaces all of them."""

    type: str
    tag: str
    properties: Mapping[str, str]
    attributes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # `final` and such; kept as they are


@dataclass(frozen=True)
class ConfigEdit:
    """What shall change in a configuration, which `seen` shows as it was when that was decided."""

    seen: Configuration
    changes: Mapping[str, str | None]  # None takes a property away

    @property
    def effective(self) -> Mapping[str, str | None]:
        """Changes that change something."""
        return {key: value for key, value in self.changes.items() if self.seen.properties.get(key) != value}

    @property
    def after(self) -> dict[str, str]:
        merged = {**self.seen.properties, **self.changes}
        return {key: value for key, value in merged.items() if value is not None}


@dataclass(frozen=True)
class Request:
    """Work that Ambari does on hosts."""

    id: int
    status: str  # PENDING, QUEUED, IN_PROGRESS, COMPLETED, FAILED, ABORTED, TIMEDOUT …
    percent: float = 0.0
    failure: str = ""  # the end of what the failed task wrote

    @property
    def is_over(self) -> bool:
        return self.status in ("COMPLETED", "FAILED", "ABORTED", "TIMEDOUT", "SKIPPED_FAILED")

    @property
    def is_good(self) -> bool:
        return self.status == "COMPLETED"


class AmbariReader(Protocol):
    cluster: str  # as Ambari spells it

    def hosts(self) -> tuple[Host, ...]: ...

    def brokers(self) -> tuple[str, ...]:
        """Names of the hosts that run a Kafka broker."""

    def addresses(self) -> Mapping[str, str]:
        """Host → IP address."""

    def config_types(self) -> Mapping[str, str]:
        """Type → the tag that is in force."""

    def config(self, type: str) -> Configuration: ...

    def stale(self) -> tuple[Component, ...]:
        """Parts that run with settings that were changed since; a restart brings them up to date."""

    def request(self, id: int) -> Request: ...


class Ambari(AmbariReader, Protocol):
    def write_configs(self, edits: Sequence[ConfigEdit]) -> tuple[Configuration, ...]:
        """All edits in one request. Writes nothing when nothing changes; refuses when somebody else wrote meanwhile."""

    def stop(self, component: Component) -> int | None:
        """Begin to stop it: id of the request, or None when there is nothing to do. `start` alike."""

    def start(self, component: Component) -> int | None: ...

    def maintain(self, component: Component, *, on: bool) -> None:
        """Maintenance mode: no alerts, and what is done to all components leaves this one out."""
