"""Make of Azure what the plan says: what is missing is deployed, what is there is updated by its API.

A deployment is named after its content, and clusters that exist are never in it. So a run that dies at any point leaves
something that the next one finds: it waits for what is running, plans again, and does the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hdictl.arm.deployment import Deployment
from hdictl.arm.render import render
from hdictl.errors import DeploymentFailed
from hdictl.plan.change import Action, Change
from hdictl.plan.cloud import CLUSTER_TYPE, CloudCluster, CloudError, CloudResource
from hdictl.plan.cloud_advice import is_transient
from hdictl.ports.cloud import Cloud
from hdictl.ports.progress import Progress
from hdictl.ports.target import Infrastructure
from hdictl.stack.model import Stack
from hdictl.workflow.cloud.foundation import cluster_bodies
from hdictl.workflow.cloud.monitored import workspace_id
from hdictl.workflow.cloud.update import Wanted, update_cluster
from hdictl.workflow.cloud.wait import Watch, goes_on

_ATTEMPTS = 4  # a new identity is unknown to other services for a while


def build(
    changes: Sequence[Change],
    stack: Stack,
    infrastructure: Infrastructure,
    progress: Progress,
    finished: Callable[[int], None],
) -> None:
    """Carry out the changes below the topics."""
    with infrastructure.cloud() as cloud:
        watch = Watch(cloud, progress, infrastructure.poll_seconds)
        new = [change for change in changes if change.kind == "cluster" and change.action is not Action.UPDATE]
        kept = frozenset(stack.clusters) - {change.cluster for change in new}
        deployment = render(stack, public_key=infrastructure.public_key(), without=kept).group
        cloud.require_secrets(deployment)
        for change in changes:
            if change.kind == "group":
                after = change.after or {}
                cloud.make_group(after["location"], after["tags"])
                finished(1)
        replaced = [change for change in changes if change.action is Action.REPLACE]
        _delete([stack.azure_name(change.cluster) for change in replaced], cloud, watch)
        deployed = [change for change in changes if change.kind == "resource"] + new
        if deployed:
            _deploy(deployment, [stack.azure_name(change.cluster) for change in new], cloud, watch)
            finished(len(deployed))
        bodies = cluster_bodies(stack, render(stack, public_key=infrastructure.public_key()))
        for change in changes:
            if change.kind != "cluster":
                continue
            key = change.cluster
            wanted = Wanted(stack.azure_name(key), bodies[key], workspace_id(stack, key))
            update_cluster(change, wanted, cloud, watch)
            if change.action is Action.UPDATE:
                finished(1)


def _deploy(deployment: Deployment, clusters: Sequence[str], cloud: Cloud, watch: Watch) -> None:
    """`clusters` are new: one that failed on the way has never held anything, and may be made again."""
    for attempt in range(1, _ATTEMPTS + 1):
        _start(deployment, cloud, watch)
        try:
            watch.follow(deployment.name)
        except DeploymentFailed as error:
            if attempt == _ATTEMPTS or not is_transient(CloudError(error.code, error.what)):
                raise
            watch.progress.step(f"{error.what}; that passes: trying again")
            _delete([name for name in clusters if _is_failed(cloud.cluster(name))], cloud, watch)
            watch.pause(watch.poll_seconds * attempt)
        else:
            return


def _start(deployment: Deployment, cloud: Cloud, watch: Watch) -> None:
    running = cloud.deployment(deployment.name)
    if running is not None and running.is_active:
        watch.progress.step(f"deployment {deployment.name} is already running: following it")
        return
    with goes_on("the deployment goes on in Azure, if Azure has got it"):
        cloud.start(deployment)
    watch.progress.step(f"deployment {deployment.name} started: {len(deployment.resources)} resources")


def _is_failed(cluster: CloudCluster | None) -> bool:
    return cluster is not None and cluster.is_failed


def _delete(names: Sequence[str], cloud: Cloud, watch: Watch) -> None:
    for name in names:
        living = cloud.cluster(name)
        if living is not None:
            operation = cloud.delete(CloudResource(living.id, CLUSTER_TYPE, name))
            watch.done(operation, name, "deleting")
