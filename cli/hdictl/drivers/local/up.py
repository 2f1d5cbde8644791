"""`up` on the local target: start what is missing of a stack's clusters, or leave things as they were."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hdictl.drivers.disk_space import require_space
from hdictl.drivers.local import class_archive, processes
from hdictl.drivers.local import layout as local_layout
from hdictl.drivers.local.instance import LocalInstance
from hdictl.drivers.local.kafka_jvm import KafkaRuntime
from hdictl.drivers.local.record import InstanceRecord
from hdictl.drivers.local.start import ClusterStart
from hdictl.drivers.local.stop import ARCHIVE_MAKER
from hdictl.ports.machine import KafkaSpec
from hdictl.ports.progress import Progress

Prepare = Callable[[str, Progress], KafkaRuntime]

_NEEDED_SPACE = 500 << 20  # bytes


def bring_up(instance: LocalInstance, clusters: Sequence[KafkaSpec], prepare: Prepare, progress: Progress) -> None:
    before = _Before.of(instance)
    try:
        for spec in clusters:
            _bring_up(instance, spec, prepare, progress)
    except BaseException:  # Ctrl-C too
        with processes.uninterrupted():
            before.restore(instance)
        raise


@dataclass(frozen=True)
class _Before:
    """How things were. Restoring ends what runs now and did not then, removes what is there now and was not then."""

    record: InstanceRecord
    living: set[tuple[str, str]]
    places: set[Path]

    @classmethod
    def of(cls, instance: LocalInstance) -> _Before:
        record = instance.record.read()
        return cls(record, _living(instance, record), _places(instance.folder))

    def restore(self, instance: LocalInstance) -> None:
        found = processes.find_all(instance.name, instance.folder)
        processes.end((each for each, name in found.items() if tuple(name.split("/")) not in self.living), grace=0)
        for place in sorted(_places(instance.folder) - self.places):
            shutil.rmtree(place, ignore_errors=True)
        if self.record.clusters:
            instance.record.write(self.record)
        else:
            instance.record.forget()
        if not self.places:
            shutil.rmtree(instance.folder, ignore_errors=True)
            instance.ports.release(instance.folder)


def _places(folder: Path) -> set[Path]:
    """The folders of clusters and nodes."""
    return {place for pattern in ("*", "*/*") for place in folder.glob(pattern) if place.is_dir()}


def _bring_up(instance: LocalInstance, spec: KafkaSpec, prepare: Prepare, progress: Progress) -> None:
    record = instance.record.read()
    known = record.clusters.get(spec.cluster)
    spec = local_layout.whole(spec, known)
    living = {node for cluster, node in _living(instance, record) if cluster == spec.cluster}
    if local_layout.node_names(spec) <= living:
        ClusterStart(instance, spec.cluster).wait_until_ready(lambda _more: None)
        return
    instance.folder.mkdir(parents=True, exist_ok=True)
    require_space(instance.folder, _NEEDED_SPACE, what="a cluster", variable="HDICTL_STATE_DIR")
    runtime = prepare(spec.version, progress)
    cluster = local_layout.with_ports(spec, known, living, instance.ports, instance.folder)
    missing = [node for name, node in cluster.nodes.items() if name not in living]
    for node in missing:
        local_layout.write_settings(spec, cluster, node, instance.record.place(spec.cluster, node.name))
    instance.record.write(record.with_cluster(spec.cluster, cluster))
    ClusterStart(instance, spec.cluster).run(missing, runtime, progress)
    _make_archive(instance, spec.cluster, runtime)


def _living(instance: LocalInstance, record: InstanceRecord) -> set[tuple[str, str]]:
    return {
        (name, node.name)
        for name, cluster in record.clusters.items()
        for node in cluster.nodes.values()
        if instance.process(name, node)
    }


def _make_archive(instance: LocalInstance, cluster: str, runtime: KafkaRuntime) -> None:
    """Once a Java and a set of jars, from what the first nodes have loaded."""
    lists = sorted(instance.folder.glob(f"{cluster}/*/classes.lst"))
    if runtime.archive.is_file() or not lists:
        return
    identity = processes.Identity(instance.name, cluster, ARCHIVE_MAKER, instance.folder / "classes.lst")
    class_archive.make_in_background(runtime.java, runtime.jars, runtime.archive, lists, identity)
