"""What one cluster's Ambari knows, and how it changes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.azure.secrets import digest

SERVICES = {
    "KAFKA_BROKER": "KAFKA",
    "ZOOKEEPER_SERVER": "ZOOKEEPER",
    "METRICS_MONITOR": "AMBARI_METRICS",
    "LIVY2_SERVER": "SPARK2",
}
OWNERS = {
    "kafka-broker": "KAFKA",
    "kafka-env": "KAFKA",
    "kafka-log4j": "KAFKA",
    "zoo.cfg": "ZOOKEEPER",
    "spark2-defaults": "SPARK2",
}
KAFKA_ENV = "#!/bin/bash\n\nexport JAVA_HOME={{java64_home}}\nexport LOG_DIR={{kafka_log_dir}}\n"
FIRST = "version1"
Move = Callable[[str], None]


def host_names(cluster: str, workers: int) -> list[str]:
    """Numbers have gaps, as HDInsight's do."""
    numbers = [number if number < 2 else number + 1 for number in range(workers)]
    nodes = ["hn0", "hn1", "zk0", "zk2", "zk3", *(f"wn{number}" for number in numbers)]
    return [f"{node}-{cluster[:6].lower()}.ab12cd.bx.internal.cloudapp.net" for node in nodes]


@dataclass
class Config:
    tag: str
    version: int
    properties: dict[str, str]
    attributes: dict[str, dict[str, str]] = field(default_factory=dict)


@dataclass
class Part:
    """A component on a host."""

    host: str
    name: str
    state: str = "STARTED"
    maintenance: str = "OFF"
    tags: dict[str, str] = field(default_factory=dict)  # configurations it was started with


@dataclass
class Work:
    """A request: it ends after so many looks, or when the real broker has done what was asked."""

    id: int
    context: str
    part: Part
    goal: str
    looks_left: int
    thread: threading.Thread | None = None
    status: str = "IN_PROGRESS"
    stderr: str = ""


@dataclass
class AmbariWorld:
    cluster: str
    names: Sequence[str] = ()  # of hosts; chosen for three workers when there are none
    kind: str = "kafka"
    looks: int = 2  # GETs of a request until it is over
    stop_broker: Move | None = None  # real brokers: called with the host
    start_broker: Move | None = None
    failures: dict[tuple[str, str], str] = field(default_factory=dict)  # (host, goal) → stderr; taken once
    lost: set[str] = field(default_factory=set)  # hosts without heartbeat
    hosts: dict[str, str] = field(default_factory=dict)  # name → address
    parts: list[Part] = field(default_factory=list)
    configs: dict[str, list[Config]] = field(default_factory=dict)
    works: dict[int, Work] = field(default_factory=dict)
    secrets: dict[str, str] = field(default_factory=dict)  # SECRET:… → SHA-256
    history: list[str] = field(default_factory=list)  # what was done to hosts, in order

    def __post_init__(self) -> None:
        self.join(self.names or host_names(self.cluster, 3))
        self._configure("cluster-env", {"cluster_name": self.cluster})
        self._configure("zoo.cfg", {"tickTime": "2000"})
        if self.kind == "kafka":
            self._configure("kafka-env", {"content": KAFKA_ENV, "is_supported_kafka_ranger": "true"})
            self._configure(
                "kafka-broker",
                {
                    "listeners": "PLAINTEXT://localhost:9092",
                    "min.insync.replicas": "2",
                    "num.io.threads": "8",
                    "ssl.keystore.password": "changeit",
                },
                {"final": {"min.insync.replicas": "true"}},
            )
        else:
            self._configure("spark2-defaults", {"spark.executor.memory": "4g"})
        for part in self.parts:
            part.tags = self.desired()

    # What is there

    @property
    def brokers(self) -> list[str]:
        return [part.host for part in self.parts if part.name == "KAFKA_BROKER"]

    def join(self, names: Sequence[str]) -> None:
        """Hosts that are not there yet; what they run is told by their names."""
        for name in names:
            if name not in self.hosts:
                self.hosts[name] = f"10.20.1.{10 + len(self.hosts)}"
                self.parts += [Part(name, component, tags=self.desired()) for component in self._components(name)]

    def desired(self) -> dict[str, str]:
        return {type: versions[-1].tag for type, versions in self.configs.items()}

    def is_stale(self, part: Part) -> bool:
        mine = [type for type, service in OWNERS.items() if service == SERVICES[part.name]]
        return any(part.tags.get(type) != self.desired().get(type) for type in mine)

    def part(self, host: str, name: str) -> Part | None:
        return next((each for each in self.parts if (each.host, each.name) == (host, name)), None)

    def _components(self, name: str) -> list[str]:
        if name.startswith("zk"):
            return ["ZOOKEEPER_SERVER", "METRICS_MONITOR"]
        if name.startswith("wn") and self.kind == "kafka":
            return ["KAFKA_BROKER", "METRICS_MONITOR"]
        has_livy = self.kind == "spark" and name.startswith("hn0")
        return ["METRICS_MONITOR", "LIVY2_SERVER"] if has_livy else ["METRICS_MONITOR"]

    # What changes

    def write(self, type: str, tag: str, properties: Mapping[str, str], attributes: Mapping[str, Any]) -> None:
        """The whole set is replaced."""
        versions = self.configs.setdefault(type, [])
        if any(each.tag == tag for each in versions):
            raise ValueError(f"Configuration with tag '{tag}' exists for '{type}'")
        number = len(versions) + 1
        kept = {key: self._sealed(type, number, key, value) for key, value in properties.items()}
        versions.append(Config(tag, number, kept, {name: dict(values) for name, values in attributes.items()}))

    def begin(self, part: Part, goal: str, context: str) -> Work:
        part.state = {"STARTED": "STARTING", "INSTALLED": "STOPPING"}[goal]
        work = Work(len(self.works) + 1, context, part, goal, self.looks)
        self.works[work.id] = work
        move = self.stop_broker if goal == "INSTALLED" else self.start_broker
        if part.name == "KAFKA_BROKER" and move is not None and (part.host, goal) not in self.failures:
            work.thread = threading.Thread(target=move, args=(part.host,), daemon=True)
            work.thread.start()
        self.history.append(f"{'stop' if goal == 'INSTALLED' else 'start'} {part.host}")
        return work

    def pass_time(self) -> None:
        """Time passes when somebody looks, at whatever it is."""
        for work in self.works.values():
            self._look(work)

    def _look(self, work: Work) -> None:
        work.looks_left -= 1
        is_moving = work.thread is not None and work.thread.is_alive()
        if work.status != "IN_PROGRESS" or work.looks_left > 0 or is_moving:
            return
        failure = self.failures.pop((work.part.host, work.goal), None)
        if failure is not None:
            work.status, work.stderr = "FAILED", failure
            work.part.state = "INSTALLED" if work.goal == "STARTED" else "STARTED"
            return
        work.status, work.part.state = "COMPLETED", work.goal
        if work.goal == "STARTED":
            work.part.tags = self.desired()

    def _configure(self, type: str, properties: Mapping[str, str], attributes: Mapping[str, Any] | None = None) -> None:
        self.write(type, FIRST, properties, attributes or {})

    def _sealed(self, type: str, number: int, key: str, value: str) -> str:
        if "password" not in key:
            return value
        reference = f"SECRET:{type}:{number}:{key}"
        self.secrets[reference] = self.secrets.get(value) or digest(value)
        return reference
