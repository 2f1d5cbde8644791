"""One living cluster, field by field, each by the API that the service has for it.

What is sent comes from the rendered cluster, so that a cluster that was updated is the one that would be made today.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hdictl.plan.change import Action, Change
from hdictl.ports.cloud import Cloud, Operation
from hdictl.workflow.cloud.wait import Watch


@dataclass(frozen=True)
class Wanted:
    """A cluster as it shall be."""

    name: str
    body: Mapping[str, Any]  # rendered, with ids resolved
    workspace: str | None  # where its agent shall send to, by resource id

    @property
    def worker(self) -> Mapping[str, Any]:
        roles = self.body["properties"]["computeProfile"]["roles"]
        return next(role for role in roles if role["name"] == "workernode")


def update_cluster(change: Change, wanted: Wanted, cloud: Cloud, watch: Watch) -> None:
    """What the plan says of a cluster that is there by now. A new one gets only what no template can say."""
    different = [field.field for field in change.fields if field.before != field.after]
    for field, (doing, start) in _UPDATES.items():
        if field not in different or (change.action is not Action.UPDATE and field != "monitoring"):
            continue
        operation = start(wanted, cloud)
        if operation is None:
            watch.progress.step(f"{wanted.name}: {doing} done")
        else:
            watch.done(operation, wanted.name, doing)


def _tag(wanted: Wanted, cloud: Cloud) -> None:
    """Tags of others stay. Azure refuses two whose names differ in case only."""
    living = cloud.cluster(wanted.name)
    tags: Mapping[str, str] = wanted.body["tags"]
    mine = {name.lower() for name in tags}
    others = {name: value for name, value in (living.tags if living else {}).items() if name.lower() not in mine}
    cloud.tag(wanted.name, {**others, **tags})


def _autoscale(wanted: Wanted, cloud: Cloud) -> Operation:
    return cloud.autoscale(wanted.name, wanted.worker.get("autoscale"))


def _resize(wanted: Wanted, cloud: Cloud) -> Operation:
    return cloud.resize(wanted.name, int(wanted.worker["targetInstanceCount"]))


def _rotate(wanted: Wanted, cloud: Cloud) -> Operation:
    key = wanted.body["properties"]["diskEncryptionProperties"]
    return cloud.rotate_key(wanted.name, key["vaultUri"], key["keyName"], key["keyVersion"])


def _monitor(wanted: Wanted, cloud: Cloud) -> Operation:
    return cloud.monitor(wanted.name, wanted.workspace)


_UPDATES: dict[str, tuple[str, Callable[[Wanted, Cloud], Operation | None]]] = {
    "tags": ("tagging", _tag),
    "encryption.key.version": ("key rotation", _rotate),
    "autoscale": ("autoscale", _autoscale),
    "workers.count": ("resize", _resize),
    "monitoring": ("monitoring", _monitor),
}
