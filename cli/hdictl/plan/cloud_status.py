"""A stack's clusters on Azure, as a person wants to know them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hdictl.plan.cloud import CloudCluster, CloudDeployment, Usage
from hdictl.plan.cluster_fields import cluster_fields


@dataclass(frozen=True)
class ClusterSummary:
    cluster: str  # its key in the stack
    name: str
    kind: str
    state: str  # "absent" when it is not there
    is_running: bool
    version: str | None = None  # of HDInsight, as the service says it
    component: str | None = None  # of Kafka or Spark
    location: str = ""
    workers: int = 0
    size: str | None = None
    cores: int | None = None  # that count against the quota
    created: str | None = None
    endpoints: Mapping[str, str] = field(default_factory=dict)
    errors: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class CloudStatus:
    clusters: tuple[ClusterSummary, ...]
    quota: Mapping[str, Usage] = field(default_factory=dict)  # region → cores
    deployment: CloudDeployment | None = None  # the newest of this stack
    notes: tuple[str, ...] = ()

    @property
    def is_running(self) -> bool:
        return all(cluster.is_running for cluster in self.clusters)


def summary(key: str, name: str, kind: str, cluster: CloudCluster | None) -> ClusterSummary:
    if cluster is None:
        return ClusterSummary(key, name, kind, "absent", is_running=False)
    fields = cluster_fields(cluster.body)
    quota: Mapping[str, Any] = cluster.properties.get("quotaInfo") or {}
    return ClusterSummary(
        cluster=key,
        name=name,
        kind=fields["kind"] or kind,
        state=cluster.state,
        is_running=cluster.is_running,
        version=cluster.properties.get("clusterVersion"),
        component=fields["component"],
        location=cluster.location,
        workers=cluster.workers,
        size=fields.get("workers.size"),
        cores=quota.get("coresUsed"),
        created=cluster.properties.get("createdDate"),
        endpoints={name: f"{host}:{port}" for name, (host, port) in cluster.endpoints.items()},
        errors=cluster.errors,
    )
