"""Clusters of this machine: what runs, where, and how it is."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.markup import escape

from hdictl.plan.scaled import Moved
from hdictl.ports.machine import ClusterStatus, NodeState, NodeStatus
from hdictl.rebalance.placed import brokers_text
from hdictl.show.tables import print_table, table
from hdictl.show.terminal import out, print_json

_LEFT, _RIGHT = ("node", "state", "process", "address"), ("FD", "UD", "memory", "up")
_COLOUR = {
    NodeState.RUNNING: "green",
    NodeState.STARTING: "yellow",
    NodeState.CRASHED: "bold red",
    NodeState.STOPPED: "yellow",
}


def print_status(clusters: Sequence[ClusterStatus]) -> None:
    if not clusters:
        out.print("nothing runs here; start it: hdictl up")
    for cluster in clusters:
        out.print(f"[bold]{escape(cluster.cluster)}[/bold]  {cluster.bootstrap}  [dim]id {cluster.cluster_id}[/dim]")
        rows = table(*_LEFT, *_RIGHT, right=_RIGHT)
        for node in cluster.nodes:
            rows.add_row(*_row(node))
        print_table(rows)
        for node in cluster.nodes:
            _print_trouble(node)


def _row(node: NodeStatus) -> tuple[str, ...]:
    colour = _COLOUR[node.state]
    return (
        node.name,
        f"[{colour}]{node.state.value}[/{colour}]",
        node.process or "–",
        node.address or "–",
        "–" if node.fd is None else str(node.fd),
        "–" if node.ud is None else str(node.ud),
        "–" if node.memory is None else f"{node.memory / 1_000_000:.0f} MB",
        "–" if node.started is None else _age(time.time() - node.started),
    )


def _print_trouble(node: NodeStatus) -> None:
    if node.state is not NodeState.CRASHED or not node.last_lines:
        return
    out.print(f"  [bold]{node.name}[/bold] is {node.state.value}; the last lines of {escape(node.log or 'its log')}:")
    for line in node.last_lines:
        out.print(f"    [dim]{escape(line)}[/dim]")


def _age(seconds: float) -> str:
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "m")):
        if seconds >= size:
            return f"{seconds / size:.0f}{unit}"
    return f"{max(seconds, 0):.0f}s"


def clusters_json(clusters: Sequence[ClusterStatus]) -> list[dict[str, Any]]:
    return [{**asdict(cluster), "is_running": cluster.is_running} for cluster in clusters]


def show_clusters(command: str, clusters: Sequence[ClusterStatus], *, as_json: bool) -> None:
    if as_json:
        print_json(command, {"clusters": clusters_json(clusters)})
    else:
        print_status(clusters)


def show_grown(cluster: ClusterStatus, new: Sequence[int], moved: Moved | None, *, as_json: bool) -> None:
    if as_json:
        body = {"clusters": clusters_json([cluster]), "new_brokers": list(new)}
        print_json("scale", {**body, "rebalance": None if moved is None else asdict(moved)})
        return
    print_status([cluster])
    if new:
        out.print(new_brokers(new))


def new_brokers(brokers: Sequence[int]) -> str:
    return f"new {brokers_text(brokers, 'holds', 'hold')} nothing until partitions are moved there"


def show_node(command: str, cluster: str, node: NodeStatus, *, as_json: bool) -> None:
    if as_json:
        print_json(command, {"cluster": cluster, "node": asdict(node)})
    else:
        colour = _COLOUR[node.state]
        out.print(f"{escape(cluster)}/{node.name} is [{colour}]{node.state.value}[/{colour}]")
