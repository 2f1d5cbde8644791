"""Something that runs Kafka clusters on this machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from hdictl.ports.kafka import Endpoint
from hdictl.ports.progress import Progress


@dataclass(frozen=True)
class BrokerSpec:
    """A broker as the stack asks for it. `fd` and `ud` are its fault and update domain."""

    id: int
    fd: int
    ud: int


@dataclass(frozen=True)
class KafkaSpec:
    """A Kafka cluster as a platform has to run it."""

    cluster: str
    brokers: tuple[BrokerSpec, ...]
    version: str = "3.2.0"
    port: int | None = None  # the first broker's port; the platform chooses when None
    partitions: int = 0  # replicas the stack will put on the whole cluster: sizes the heap
    config: Mapping[str, str] = field(default_factory=dict)


class NodeState(str, Enum):
    RUNNING = "running"
    STARTING = "starting"
    CRASHED = "crashed"
    STOPPED = "stopped"  # by `local kill-broker`, or `down --keep-data`


@dataclass(frozen=True)
class NodeStatus:
    """One ZooKeeper or broker process (or container)."""

    name: str  # "zookeeper", or the broker id as text
    state: NodeState
    process: str | None = None  # pid or container id
    address: str | None = None  # host:port that clients use
    fd: int | None = None
    ud: int | None = None
    memory: int | None = None  # resident bytes
    started: float | None = None  # seconds since the epoch
    log: str | None = None  # where its log is
    last_lines: tuple[str, ...] = ()  # of the log, when it is not running


@dataclass(frozen=True)
class ClusterStatus:
    cluster: str
    cluster_id: str | None
    bootstrap: str
    nodes: tuple[NodeStatus, ...]

    @property
    def is_running(self) -> bool:
        return bool(self.nodes) and all(node.state is NodeState.RUNNING for node in self.nodes)


class Platform(Protocol):
    """Something that can run a stack's Kafka clusters on this machine."""

    def up(self, clusters: Sequence[KafkaSpec], progress: Progress) -> tuple[ClusterStatus, ...]:
        """Make these clusters run; what already runs stays, brokers that are missing are added."""

    def down(self, *, keep_data: bool, progress: Progress) -> int:
        """Stop everything of this stack; returns how many processes were ended."""

    def status(self) -> tuple[ClusterStatus, ...]: ...

    def logs(self, cluster: str, node: str, *, lines: int, follow: bool) -> Iterator[str]: ...

    def kill_broker(self, cluster: str, broker: int) -> NodeStatus:
        """End a broker without warning, as a crash does."""

    def restart_broker(self, cluster: str, broker: int, progress: Progress) -> NodeStatus: ...

    def endpoints(self) -> Mapping[str, Endpoint]: ...

    def free_bytes(self, cluster: str) -> Mapping[int, int]:
        """Broker id → its part of the room on the disk that it shares; empty where nobody can tell."""
