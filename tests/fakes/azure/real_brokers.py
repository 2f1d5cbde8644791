"""Real Kafka behind the fake.

A cluster that comes to run in the fake cloud has brokers on this machine, and more of them when it is resized. Its
Ambari tells their addresses, so that `hdictl` finds them as it would on Azure.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from hdictl.drivers.local.platform import LocalPlatform
from hdictl.ports.machine import BrokerSpec, KafkaSpec
from hdictl.ports.progress import Silent
from tests.fakes.azure.ambari import AmbariPlane
from tests.fakes.azure.ambari.brokers import bind
from tests.fakes.azure.cloud import FakeCloud
from tests.fakes.azure.hdinsight.cluster import kind_of, role_of
from tests.fakes.azure.world import Resource


class RealBrokers:
    """While the brokers start, the cloud answers nobody: a resize is over when they are there."""

    def __init__(self, cloud: FakeCloud, ambari: AmbariPlane, folder: Path) -> None:
        self._ambari = ambari
        self._platform = LocalPlatform("azure", folder / "azure")
        cloud.on_created(lambda made: self._run(made, int(role_of(made, "workernode")["targetInstanceCount"])))
        cloud.on_resize(self._run)

    def __enter__(self) -> RealBrokers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._platform.down(keep_data=False, progress=Silent())

    def _run(self, cluster: Resource, workers: int) -> None:
        if kind_of(cluster) != "kafka":
            return
        brokers = tuple(BrokerSpec(1001 + number, number % 3, number % 5) for number in range(workers))
        (running,) = self._platform.up([KafkaSpec(cluster.id.name, brokers)], Silent())
        world = self._ambari.of(cluster.id.name)
        for host in world.brokers:
            world.hosts[host] = "127.0.0.1"
        # All brokers are behind one address here, each at a port of its own; the first one knows the others.
        port = running.bootstrap.split(",")[0].rpartition(":")[2]
        known = world.configs["kafka-broker"][-1]
        listeners = {**known.properties, "listeners": f"PLAINTEXT://localhost:{port}"}
        world.write("kafka-broker", f"{known.tag}-{workers}", listeners, known.attributes)
        bind(world, self._platform, cluster.id.name)
