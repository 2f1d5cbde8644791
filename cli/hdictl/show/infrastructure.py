"""Clusters and other resources of a plan, in a line each."""

from __future__ import annotations

from hdictl.plan.change import Action, Change


def infrastructure_headline(change: Change) -> str:
    if change.kind == "cluster" and change.action in (Action.CREATE, Action.REPLACE):
        return _cluster(change)
    if change.action is Action.CREATE:
        return str(change.fields[0].after) if change.kind == "group" else ""
    return ", ".join(field.field for field in change.fields)


def _cluster(change: Change) -> str:
    after = change.after or {}
    workers = f"{after.get('workers.count')} × {after.get('workers.size')}"
    disks = after.get("workers.disks")
    parts = [f"{after.get('kind')} {after.get('component')}", workers + (f", {disks} disks each" if disks else "")]
    return ", ".join([*parts, f"in {after.get('location')}"])
