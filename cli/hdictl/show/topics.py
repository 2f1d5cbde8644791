"""Topics and their records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.markup import escape

from hdictl.plan.observed import ObservedCluster, ObservedTopic
from hdictl.rebalance.placement import spread_violations
from hdictl.show.settings import setting_text
from hdictl.show.tables import print_table, table
from hdictl.show.terminal import out, print_json


def print_topics(cluster: ObservedCluster, topics: Sequence[ObservedTopic], claimed: frozenset[str]) -> None:
    rows = table("topic", "partitions", "replicas", "settings", "", right=("partitions", "replicas"))
    for topic in topics:
        settings = ", ".join(f"{key}={setting_text(key, value)}" for key, value in sorted(topic.config.items()))
        mine = "" if topic.name in claimed else "[dim]not in the stack[/dim]"
        rows.add_row(escape(topic.name), str(topic.partitions), str(topic.replication), escape(settings), mine)
    out.print(f"[bold]{escape(cluster.cluster)}[/bold]  [dim]{len(topics)} topics[/dim]")
    print_table(rows)


def print_topic(cluster: ObservedCluster, topic: ObservedTopic) -> None:
    out.print(f"[bold]{escape(topic.name)}[/bold] on {escape(cluster.cluster)}")
    out.print(f"  {topic.partitions} partitions × {topic.replication} replicas")
    for key, value in sorted(topic.config.items()):
        out.print(f"  {escape(key)} = {escape(setting_text(key, value))}")
    domains = {
        broker.id: f"FD{broker.fd} " + ("UD unknown" if broker.ud is None else f"UD{broker.ud}")
        for broker in cluster.brokers
        if broker.fd is not None
    }
    for number, replicas in enumerate(topic.assignment):
        places = ", ".join(f"{broker} ({domains.get(broker, 'domain unknown')})" for broker in replicas)
        out.print(f"  p{number}: {places}")
    if all(broker in domains for replicas in topic.assignment for broker in replicas):
        missed_fd, missed_ud = spread_violations(topic.assignment, cluster.brokers)
        good = "[green]✓[/green]" if not (missed_fd or missed_ud) else "[red]✗[/red]"
        out.print(f"  {good} partitions that could be spread wider: {missed_fd} by fault, {missed_ud} by update domain")


def topic_json(topic: ObservedTopic) -> dict[str, Any]:
    return {
        "name": topic.name,
        "partitions": topic.partitions,
        "replication": topic.replication,
        "config": dict(topic.config),
        "assignment": [list(replicas) for replicas in topic.assignment],
    }


def show_topics(
    command: str,
    cluster: ObservedCluster,
    topics: Sequence[ObservedTopic],
    claimed: frozenset[str],
    *,
    as_json: bool,
) -> None:
    if as_json:
        listed = [{**topic_json(topic), "in_stack": topic.name in claimed} for topic in topics]
        print_json(command, {"cluster": cluster.cluster, "cluster_id": cluster.cluster_id, "topics": listed})
    else:
        print_topics(cluster, topics, claimed)


def show_topic(cluster: ObservedCluster, topic: ObservedTopic, *, as_json: bool) -> None:
    if as_json:
        brokers = [
            {"id": broker.id, "rack": broker.rack, "fd": broker.fd, "ud": broker.ud} for broker in cluster.brokers
        ]
        print_json("topics describe", {"cluster": cluster.cluster, "brokers": brokers, "topic": topic_json(topic)})
    else:
        print_topic(cluster, topic)
