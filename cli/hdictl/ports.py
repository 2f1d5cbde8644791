"""What the drivers offer to the rest, as protocols and plain values.

Deciding code gets a `ClusterReader`, which cannot write; only `workflow.apply` is handed a `ClusterWriter`.
A `Target` is a choice of drivers, nothing more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Protocol

from hdictl.plan.observed import Assignment, ObservedCluster


class Progress(Protocol):
    """How long work tells a person that it goes on. Text only; it decides nothing."""

    def step(self, message: str) -> None:
        """One line that stays."""

    def track(self, label: str, total: int | None = None) -> AbstractContextManager[Callable[[int], None]]:
        """A bar; the callable takes how many more are done."""


class Silent:
    """A `Progress` for those who want none."""

    def step(self, message: str) -> None: ...

    def track(self, label: str, total: int | None = None) -> AbstractContextManager[Callable[[int], None]]:
        from contextlib import nullcontext

        return nullcontext(lambda _done: None)


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


@dataclass(frozen=True)
class Endpoint:
    """How clients reach a cluster, and what the cluster itself does not say about its brokers."""

    cluster: str
    bootstrap: str
    domains: Mapping[int, tuple[int, int]] = field(default_factory=dict)  # broker id → (fd, ud)
    cluster_id: str | None = None  # pinned: no other cluster may answer here
    proxy: str | None = None  # socks5h://host:port


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


@dataclass(frozen=True)
class NewTopic:
    name: str
    assignment: Assignment  # one tuple of broker ids a partition, leader first
    config: Mapping[str, str]


class ClusterReader(Protocol):
    def observe(self) -> ObservedCluster: ...


class ClusterWriter(ClusterReader, Protocol):
    def create_topics(self, topics: Sequence[NewTopic]) -> Mapping[str, str | None]:
        """Name → error text, or None when it was made."""

    def add_partitions(self, topic: str, total: int, added: Assignment) -> None: ...

    def alter_config(self, topic: str, changes: Mapping[str, str | None]) -> None:
        """Set values; None takes the override away."""

    def delete_topics(self, topics: Sequence[str]) -> None: ...

    def settle(self, partitions: Mapping[str, int]) -> None:
        """Wait until every broker knows these topics with that many led partitions; 0 means gone."""


@dataclass(frozen=True)
class Record:
    partition: int
    offset: int
    timestamp: int
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes | None], ...] = ()


class RecordStream(Protocol):
    """The data plane of one cluster."""

    def read(self, topic: str, *, from_beginning: bool, limit: int | None, follow: bool) -> Iterator[Record]: ...

    def write(self, topic: str, records: Iterable[tuple[bytes | None, bytes | None]]) -> int:
        """Returns how many were acknowledged by all in-sync replicas."""


class Target(Protocol):
    """A choice of drivers."""

    name: str

    def platform(self) -> Platform: ...

    def endpoint(self, cluster: str) -> Endpoint: ...

    def reader(self, cluster: str) -> AbstractContextManager[ClusterReader]: ...

    def writer(self, cluster: str) -> AbstractContextManager[ClusterWriter]: ...

    def records(self, cluster: str) -> AbstractContextManager[RecordStream]: ...

    def runner(self) -> AbstractContextManager[JobRunner]: ...

    def lock(self, what: str) -> AbstractContextManager[Any]: ...


@dataclass(frozen=True)
class JobSpec:
    """A pipeline bound to the topics of one cluster."""

    name: str
    pipeline: Path  # its folder
    bootstrap: str
    reads: Mapping[str, str]  # source of the pipeline → topic
    writes: Mapping[str, str]  # sink of the pipeline → topic
    trigger_ms: int | None = None  # None: as the pipeline says
    max_offsets_per_trigger: int | None = None
    configuration: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class BatchProgress:
    """What one committed micro-batch of one query of a job did."""

    query: str
    is_output: bool  # the job's own output; its other queries carry dead letters
    batch: int  # -1: no batch of this run, but where the query stood when the run resumed it
    input_rows: int
    output_rows: int
    valid: int
    dead: int
    tombstones: int
    late: int
    duplicates: int
    state_rows: int
    watermark: int  # milliseconds since the epoch; 0 before there is one
    end_offsets: Mapping[str, Mapping[int, int]]  # topic → partition → next offset to read
    duration_ms: int


@dataclass(frozen=True)
class JobEnd:
    """How a run ended. `is_settled`: no micro-batch was begun and left unfinished."""

    exit_code: int
    is_settled: bool
    batches: tuple[BatchProgress, ...]  # committed since progress was last read


class JobRun(Protocol):
    """One run of a job. Leaving its context ends it, whatever the reason for leaving is."""

    log: Path

    def __enter__(self) -> JobRun: ...

    def __exit__(self, *reason: object) -> None: ...

    def progress(self, *, patience: float) -> Iterator[BatchProgress]:
        """Batches as they are committed, until the job ends. It fails when none comes for `patience` seconds."""

    def stop(self, *, patience: float) -> JobEnd:
        """Ask it to stop between two micro-batches; end it by force when it has not after `patience` seconds."""

    def wait(self) -> JobEnd: ...

    def kill(self) -> None:
        """End it without warning, as a crash does."""


class JobRunner(Protocol):
    def start(self, job: JobSpec, progress: Progress) -> JobRun:
        """Start the job, or resume it where its checkpoint ends."""

    def forget(self, job: JobSpec) -> None:
        """Throw away what its runs have left, the checkpoint among it: the next run begins at the beginning."""
