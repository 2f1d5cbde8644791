"""What the local target's processes are doing."""

from __future__ import annotations

import psutil

from hdictl.drivers.free_ports import HOST
from hdictl.drivers.kafka.ready import accepts_connections
from hdictl.drivers.local.instance import LocalInstance
from hdictl.drivers.local.log_files import last_words
from hdictl.drivers.local.record import ClusterRecord, NodeRecord
from hdictl.ports.machine import ClusterStatus, NodeState, NodeStatus

_LINES = 8


def cluster_status(instance: LocalInstance, name: str, cluster: ClusterRecord) -> ClusterStatus:
    nodes = tuple(node_status(instance, name, node) for node in cluster.nodes.values())
    return ClusterStatus(name, cluster.cluster_id, cluster.bootstrap, nodes)


def node_status(instance: LocalInstance, cluster: str, node: NodeRecord) -> NodeStatus:
    place = instance.record.place(cluster, node.name)
    process = instance.process(cluster, node)
    return NodeStatus(
        name=node.name,
        state=_state(node, process),
        process=str(process.pid) if process else None,
        address=f"{HOST}:{node.port}",
        fd=node.fd,
        ud=node.ud,
        memory=_memory(process) if process else None,
        started=node.started if process else None,
        log=str(place.log),
        last_lines=() if process else last_words(place.log, place.console, _LINES),
    )


def _state(node: NodeRecord, process: psutil.Process | None) -> NodeState:
    if process is None:
        return NodeState.CRASHED if node.is_wanted else NodeState.STOPPED
    return NodeState.RUNNING if accepts_connections(node.port) else NodeState.STARTING


def _memory(process: psutil.Process) -> int | None:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:  # gone since
        return None
