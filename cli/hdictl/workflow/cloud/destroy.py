"""Take away everything that carries the stack's tag, and nothing else."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hdictl.errors import ApplyFailed, CloudRejected
from hdictl.plan.cloud import CloudResource, is_cluster
from hdictl.plan.destroyed import Doomed, in_deletion_order
from hdictl.ports.cloud import Cloud, CloudReader
from hdictl.ports.progress import Progress, Row
from hdictl.ports.target import Infrastructure
from hdictl.stack.model import Stack
from hdictl.workflow.cloud.wait import Watch, goes_on

_ATTEMPTS = 5  # what a cluster leaves behind in its network goes a little later than the cluster


def doomed(cloud: CloudReader) -> tuple[Doomed, ...]:
    """What would go, in the order in which it goes, and what is lost with each."""
    return in_deletion_order(
        (resource, cloud.cluster(resource.name) if is_cluster(resource.type) else None) for resource in cloud.tagged()
    )


def destroy(stack: Stack, infrastructure: Infrastructure, progress: Progress) -> int:
    """Delete it all; returns how many resources are gone. A run that was killed is simply run again."""
    gone: set[str] = set()
    with infrastructure.cloud() as cloud:
        watch = Watch(cloud, progress, infrastructure.poll_seconds)
        watch.until_quiet(stack)
        with goes_on("what is being deleted goes on"):
            while together := _next_rank(cloud, gone):
                _delete(together, cloud, watch)
                gone.update(each.id for each in together)
    return len(gone)


def _next_rank(cloud: CloudReader, gone: Collection[str]) -> list[CloudResource]:
    """Looked up anew each time: a list that is read while an earlier run's deletions go on may lack something.

    What is lost with each was said before; the clusters are not asked for it again.
    """
    left = [each for each in in_deletion_order((each, None) for each in cloud.tagged()) if each.resource.id not in gone]
    return [each.resource for each in left if each.rank == left[0].rank]


def _delete(resources: Sequence[CloudResource], cloud: Cloud, watch: Watch) -> None:
    """Resources of one rank, side by side."""
    left = list(resources)
    for attempt in range(1, _ATTEMPTS + 1):
        failed: list[tuple[CloudResource, CloudRejected]] = []
        with watch.progress.board() as board:
            running = []
            for resource in left:
                try:
                    running.append((resource, cloud.delete(resource)))
                except CloudRejected as error:
                    failed.append((resource, error))
            for resource, operation in running:
                try:
                    board.show([Row(_name(each), "deleting") for each, _ in running])
                    watch.ended(operation, f"the deletion of {_name(resource)}")
                    board.show([Row(_name(resource), "deleted", is_done=True)])
                except CloudRejected as error:
                    failed.append((resource, error))
        if not failed:
            return
        if attempt == _ATTEMPTS:
            stuck, why = failed[0]
            raise ApplyFailed(why.what, where=_name(stuck), fix=f"{why.fix or 'mend it'}; then: hdictl destroy")
        left = [resource for resource, _ in failed]
        watch.pause(watch.poll_seconds)


def _name(resource: CloudResource) -> str:
    return f"{resource.type.rpartition('/')[2]} {resource.name}"
