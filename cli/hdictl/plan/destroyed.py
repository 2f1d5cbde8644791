"""What `destroy` takes away: in which order, and what is lost with it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hdictl.plan.cloud import CLUSTER_TYPE, CloudCluster, CloudResource
from hdictl.plan.cluster_fields import cluster_fields
from hdictl.plan.clusters import what_is_lost

# What stands on something goes before it.
_ORDER = (
    "microsoft.insights/scheduledqueryrules",
    "microsoft.insights/actiongroups",
    "microsoft.network/privateendpoints",
    CLUSTER_TYPE.lower(),
    "microsoft.network/privatednszones/virtualnetworklinks",
    "microsoft.network/privatednszones",
    "microsoft.network/virtualnetworks",
    "microsoft.network/networksecuritygroups",
    "microsoft.network/natgateways",
    "microsoft.network/publicipaddresses",
    "microsoft.storage/storageaccounts",
    "microsoft.keyvault/vaults",
    "microsoft.operationalinsights/workspaces",
    "microsoft.managedidentity/userassignedidentities",
)
_LOST = {
    "microsoft.storage/storageaccounts": "everything in the account is lost: checkpoints, job files, logs",
    "microsoft.keyvault/vaults": "the vault can be recovered for its retention time, and its name stays taken so long",
    "microsoft.operationalinsights/workspaces": "logs and metrics are lost; recoverable for 14 days",
}


@dataclass(frozen=True)
class Doomed:
    resource: CloudResource
    loss: str = ""  # empty: nothing that could not be made again

    @property
    def rank(self) -> int:
        kind = self.resource.type.lower()
        return _ORDER.index(kind) if kind in _ORDER else len(_ORDER)


def in_deletion_order(found: Iterable[tuple[CloudResource, CloudCluster | None]]) -> tuple[Doomed, ...]:
    doomed = (Doomed(resource, _loss(resource, cluster)) for resource, cluster in found)
    return tuple(sorted(doomed, key=lambda each: (each.rank, each.resource.name)))


def _loss(resource: CloudResource, cluster: CloudCluster | None) -> str:
    if cluster is not None:
        return what_is_lost(cluster_fields(cluster.body))
    return _LOST.get(resource.type.lower(), "")
