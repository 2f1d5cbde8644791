"""Azure Monitor: workspaces, and alerts on Kafka clusters. Clusters are joined to a workspace by the API afterwards."""

from __future__ import annotations

from collections.abc import Iterator

from hdictl.arm.modules import Call
from hdictl.arm.storages import cluster_regions
from hdictl.stack.model import Monitor, Stack
from hdictl.stack.resource_names import Names


def monitor_calls(stack: Stack, names: Names) -> Iterator[Call]:
    monitor = stack.monitor
    if monitor is None:
        return
    if monitor.workspace == "new":
        for region in cluster_regions(stack):
            values = {"location": region, "tags": names.tags(), "workspace": names.workspace(region)}
            yield Call("workspace", values)
    if monitor.alerts == "default":
        yield from _alert_calls(stack, names, monitor)


def _alert_calls(stack: Stack, names: Names, monitor: Monitor) -> Iterator[Call]:
    is_somebody_told = bool(monitor.notify and stack.kafka_clusters)
    if is_somebody_told:
        mails = sorted(set(monitor.notify))
        yield Call("action-group", {"tags": names.tags(), "actionGroup": names.action_group(), "mails": mails})
    for key in sorted(stack.kafka_clusters):
        region = stack.location_of(key) or ""
        yield Call(
            "alerts",
            {
                "location": region,
                "tags": names.tags(key),
                "cluster": stack.azure_name(key),
                "workspace": names.workspace(region),
                "actionGroup": names.action_group() if is_somebody_told else "",
            },
        )
