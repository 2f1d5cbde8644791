"""How the stack's clusters on Azure are."""

from __future__ import annotations

from hdictl.errors import PermissionMissing
from hdictl.plan.cloud import CloudDeployment, Usage
from hdictl.plan.cloud_status import CloudStatus, summary
from hdictl.ports.cloud import CloudReader
from hdictl.ports.target import Infrastructure
from hdictl.stack.model import Stack
from hdictl.workflow.cloud.foundation import living_clusters


def cloud_status(stack: Stack, infrastructure: Infrastructure) -> CloudStatus:
    with infrastructure.cloud() as cloud:
        living = living_clusters(stack, cloud)
        clusters = tuple(
            summary(key, stack.azure_name(key), stack.clusters[key].kind, cluster) for key, cluster in living.items()
        )
        quota, without_quota = _quota(stack, cloud)
        newest, without_newest = _newest(cloud)
    return CloudStatus(clusters, quota, newest, without_quota + without_newest)


def _newest(cloud: CloudReader) -> tuple[CloudDeployment | None, tuple[str, ...]]:
    try:
        return next(iter(cloud.deployments()), None), ()
    except PermissionMissing as error:
        return None, (f"deployments were not looked at: {error.what}",)


def _quota(stack: Stack, cloud: CloudReader) -> tuple[dict[str, Usage], tuple[str, ...]]:
    locations = sorted({location for key in stack.clusters if (location := stack.location_of(key))})
    try:
        found = {location: cloud.usages(location).get("cores") for location in locations}
    except PermissionMissing as error:
        return {}, (f"quota was not looked at: {error.what}",)
    return {location: usage for location, usage in found.items() if usage is not None}, ()
