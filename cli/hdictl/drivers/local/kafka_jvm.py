"""How a JVM is started for a ZooKeeper or a broker: small, quick to start, with a bounded log."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hdictl import assets
from hdictl.drivers import folders
from hdictl.drivers.java import jars
from hdictl.drivers.java.find import Java, find_java
from hdictl.drivers.local import class_archive
from hdictl.drivers.local.processes import Identity
from hdictl.drivers.local.record import NodePlace, NodeRecord
from hdictl.ports.machine import KafkaSpec
from hdictl.ports.progress import Progress

_QUICK = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xss512k")
# A broker without memory that lingers looks alive; one that ends is seen, with its reason.
_HONEST = ("-XX:+ExitOnOutOfMemoryError", "-XX:ErrorFile=jvm-crash.log", "-Djava.awt.headless=true")
_ZOOKEEPER_HEAP = 256
_BROKER_HEAP = 768  # measured: 6,000 replicas on a broker live in 210 MB; an idle one uses 30 of it
_HEAP_PER_1000_REPLICAS = 100


@dataclass(frozen=True)
class KafkaRuntime:
    """Java and the jars of one Kafka version."""

    java: Java
    jars: tuple[Path, ...]
    archive: Path

    @classmethod
    def prepare(cls, version: str, progress: Progress) -> KafkaRuntime:
        java = find_java()
        if java.notice:
            progress.step(java.notice)
        files = tuple(jars.ensure(f"kafka-{version}", progress))
        return cls(java, files, class_archive.archive_file(java, files, folders.cache()))

    def command(self, node: NodeRecord, place: NodePlace, identity: Identity) -> list[str]:
        main = "kafka.Kafka" if node.is_broker else "org.apache.zookeeper.server.quorum.QuorumPeerMain"
        return [
            *(str(self.java.executable), identity.marker, f"-Xms{16 if not node.is_broker else 32}m"),
            *(f"-Xmx{node.heap}m", *_QUICK, *_HONEST, *self._class_sharing(place)),
            *(f"-Dhdictl.log={place.log}", f"-Dlog4j.configuration={_log4j().as_uri()}"),
            *(() if node.is_broker else _ZOOKEEPER_ALONE),
            *("-cp", os.pathsep.join(str(jar) for jar in self.jars), main, str(identity.settings)),
        ]

    def _class_sharing(self, place: NodePlace) -> Sequence[str]:
        if self.archive.is_file():
            # An archive that does not fit is no reason to speak: the JVM starts without it.
            return (f"-XX:SharedArchiveFile={self.archive}", "-Xlog:disable", "-Xlog:all=error:stderr")
        return (f"-XX:DumpLoadedClassList={place.loaded_classes}",)


# Nothing here must survive a power cut, so ZooKeeper need not wait for the disk: 1,000 topics are thousands of writes.
_ZOOKEEPER_ALONE = ("-Dzookeeper.forceSync=no", "-Dzookeeper.jmx.log4j.disable=true")


def broker_heap(spec: KafkaSpec) -> int:
    """Megabytes. It is a ceiling: what a broker does not need it does not take."""
    replicas = spec.partitions / max(1, len(spec.brokers))
    return max(_BROKER_HEAP, 128 + int(_HEAP_PER_1000_REPLICAS * replicas / 1000))


def zookeeper_heap() -> int:
    return _ZOOKEEPER_HEAP


def environment() -> dict[str, str]:
    # glibc keeps a pool of memory per core and thread; two are plenty, and save 20 MB a process.
    return {**os.environ, "MALLOC_ARENA_MAX": "2"}


def _log4j() -> Path:
    return assets.template("kafka", "log4j.properties")
