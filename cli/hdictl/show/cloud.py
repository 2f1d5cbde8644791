"""Clusters on Azure: how they are, what became of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.markup import escape

from hdictl.plan.cloud_status import CloudStatus, ClusterSummary
from hdictl.plan.destroyed import Doomed
from hdictl.plan.scaled import Moved, Scaled
from hdictl.show.clusters import new_brokers
from hdictl.show.tables import print_table, table
from hdictl.show.terminal import err, out, print_json


def show_status(status: CloudStatus, *, as_json: bool) -> None:
    if as_json:
        print_json("status", _status_json(status))
        return
    rows = table("cluster", "name", "state", "HDInsight", "runs", "workers", "size", "region", "gateway")
    for cluster in status.clusters:
        rows.add_row(*_row(cluster))
    print_table(rows)
    for cluster in status.clusters:
        for code, message in cluster.errors:
            out.print(f"[red]{escape(cluster.name)}[/red]: {escape(code)}: {escape(message)}")
    for region, usage in status.quota.items():
        out.print(f"cores in {region}: {usage.current} of {usage.limit} in use, {usage.free} free")
    if status.deployment is not None:
        out.print(f"[dim]last deployment: {escape(status.deployment.name)}, {status.deployment.state}[/dim]")
    for note in status.notes:
        out.print(f"[dim]note: {escape(note)}[/dim]")


def _row(cluster: ClusterSummary) -> tuple[str, ...]:
    colour = (
        "green" if cluster.is_running else "dim" if cluster.state == "absent" else "red" if cluster.errors else "yellow"
    )
    return (
        escape(cluster.cluster),
        escape(cluster.name),
        f"[{colour}]{escape(cluster.state)}[/{colour}]",
        cluster.version or "–",
        f"{cluster.kind} {cluster.component or ''}".strip(),
        str(cluster.workers or "–"),
        cluster.size or "–",
        cluster.location or "–",
        cluster.endpoints.get("HTTPS", "–"),
    )


def _status_json(status: CloudStatus) -> dict[str, Any]:
    quota = {region: {"current": usage.current, "limit": usage.limit} for region, usage in status.quota.items()}
    return {
        "running": status.is_running,
        "clusters": [asdict(cluster) for cluster in status.clusters],
        "quota": quota,
        "deployment": asdict(status.deployment) if status.deployment is not None else None,
        "notes": list(status.notes),
    }


def show_scaled(scaled: Scaled, moved: Moved | None, *, as_json: bool) -> None:
    if as_json:
        print_json("scale", {**asdict(scaled), "rebalance": None if moved is None else asdict(moved)})
        return
    out.print(f"[green]✓[/green] {escape(scaled.name)} has {scaled.after} workers (before: {scaled.before})")
    if scaled.new_brokers:
        out.print(f"  {new_brokers(scaled.new_brokers)}")
    if scaled.stated != scaled.after:
        out.print(
            f"  the stack file still says {scaled.stated}: set clusters.{escape(scaled.cluster)}.workers.count "
            f"to {scaled.after}, or the next plan wants the old number back"
        )


def print_doomed(doomed: Sequence[Doomed]) -> None:
    for each in doomed:
        kind = each.resource.type.rpartition("/")[2]
        err.print(f"[red]- {escape(kind)} {escape(each.resource.name)}[/red]")
        if each.loss:
            err.print(f"    [yellow]! {escape(each.loss)}[/yellow]")


def show_destroyed(gone: int, *, as_json: bool) -> None:
    if as_json:
        print_json("destroy", {"deleted": gone})
    elif gone:
        out.print(f"[green]✓[/green] {gone} resources are deleted; the resource group stays")
    else:
        out.print("nothing on Azure carries this stack's tag")
