"""What the local target writes down about a stack's processes, and where each process has its files.

<folder>/instance.json          the record
<folder>/<cluster>/<node>/      settings, data, log and console of one ZooKeeper or broker
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from hdictl.errors import RecordDamaged

ZOOKEEPER = "zookeeper"


@dataclass(frozen=True)
class NodePlace:
    """The files of one node."""

    folder: Path

    @property
    def settings(self) -> Path:
        return self.folder / "node.properties"

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def log(self) -> Path:
        return self.folder / "node.log"

    @property
    def console(self) -> Path:
        """What the JVM itself says, which no logger sees."""
        return self.folder / "console.log"

    @property
    def loaded_classes(self) -> Path:
        return self.folder / "classes.lst"


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class NodeRecord(_Frozen):
    name: str  # "zookeeper", or the broker id
    port: int
    heap: int  # megabytes
    fd: int | None = None
    ud: int | None = None
    pid: int | None = None
    started: float | None = None
    is_wanted: bool = True  # False: somebody asked for it to be stopped

    @property
    def is_broker(self) -> bool:
        return self.name != ZOOKEEPER


class ClusterRecord(_Frozen):
    version: str
    cluster_id: str | None = None  # learned at the first start, compared ever after
    nodes: Mapping[str, NodeRecord] = {}

    @property
    def brokers(self) -> tuple[NodeRecord, ...]:
        return tuple(node for node in self.nodes.values() if node.is_broker)

    @property
    def zookeeper_port(self) -> int:
        return self.nodes[ZOOKEEPER].port

    @property
    def bootstrap(self) -> str:
        return ",".join(f"127.0.0.1:{broker.port}" for broker in self.brokers)

    def with_node(self, node: NodeRecord) -> ClusterRecord:
        nodes = {**self.nodes, node.name: node}
        ordered = sorted(nodes.values(), key=lambda each: (each.is_broker, len(each.name), each.name))
        return self.model_copy(update={"nodes": {each.name: each for each in ordered}})


class InstanceRecord(_Frozen):
    format: int = 1
    clusters: Mapping[str, ClusterRecord] = {}

    def with_cluster(self, name: str, cluster: ClusterRecord) -> InstanceRecord:
        return self.model_copy(update={"clusters": {**self.clusters, name: cluster}})

    def all_stopped(self) -> InstanceRecord:
        stopped = {"is_wanted": False, "pid": None, "started": None}
        return InstanceRecord(
            clusters={
                name: cluster.model_copy(
                    update={"nodes": {key: node.model_copy(update=stopped) for key, node in cluster.nodes.items()}}
                )
                for name, cluster in self.clusters.items()
            }
        )


class RecordFile:
    """The record of one instance. Written whole, by rename: a reader sees the old one or the new one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._file = folder / "instance.json"

    def place(self, cluster: str, node: str) -> NodePlace:
        return NodePlace(self.folder / cluster / node)

    def read(self) -> InstanceRecord:
        try:
            return InstanceRecord.model_validate_json(self._file.read_bytes())
        except FileNotFoundError:
            return InstanceRecord()
        except (ValidationError, OSError) as error:
            raise RecordDamaged(
                "the record of what runs here cannot be read",
                where=str(self._file),
                fix="`hdictl down --keep-data` finds the processes without it, keeps the data and clears the record",
            ) from error

    def write(self, record: InstanceRecord) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        draft = self._file.with_suffix(".draft")
        draft.write_text(record.model_dump_json(indent=2))
        draft.replace(self._file)

    def remember(self, cluster: str, node: NodeRecord) -> None:
        record = self.read()
        self.write(record.with_cluster(cluster, record.clusters[cluster].with_node(node)))

    def forget(self) -> None:
        self._file.unlink(missing_ok=True)
