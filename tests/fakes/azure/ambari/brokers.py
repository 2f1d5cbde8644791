"""Real brokers behind the fake: what Ambari stops and starts are processes of the local platform."""

from __future__ import annotations

import os
import signal
import time

from hdictl.drivers.local.platform import LocalPlatform
from hdictl.ports.machine import NodeState, NodeStatus
from hdictl.ports.progress import Silent
from tests.fakes.azure.ambari.world import AmbariWorld


def bind(world: AmbariWorld, platform: LocalPlatform, cluster: str) -> dict[str, int]:
    """Hosts of brokers, in the order of their names, → broker ids of a running local cluster."""
    (status,) = [each for each in platform.status() if each.cluster == cluster]
    ids = sorted(int(node.name) for node in status.nodes if node.name.isdecimal())
    brokers = dict(zip(sorted(world.brokers), ids, strict=True))

    def stop(host: str) -> None:
        """As Ambari's stop: a polite signal, and the broker hands its leaders over before it ends."""
        node = _node(brokers[host])
        if node.process:  # 0 would be this very group of processes
            os.kill(int(node.process), signal.SIGTERM)
        while _node(brokers[host]).state is NodeState.RUNNING:
            time.sleep(0.1)

    def start(host: str) -> None:
        platform.restart_broker(cluster, brokers[host], Silent())

    def _node(broker: int) -> NodeStatus:
        (status,) = [each for each in platform.status() if each.cluster == cluster]
        return next(node for node in status.nodes if node.name == str(broker))

    world.stop_broker, world.start_broker = stop, start
    return brokers
