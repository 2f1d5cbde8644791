"""Following what was started to its end: a deployment, a cluster at work, one that is being deleted.

Nothing here starts anything, so that a run that was killed is picked up by the next one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from hdictl.errors import DeploymentFailed, Interrupted
from hdictl.plan.cloud import CloudCluster, CloudDeployment, CloudError, CloudOperation
from hdictl.plan.cloud_advice import advice
from hdictl.ports.cloud import CloudReader, Operation
from hdictl.ports.progress import Progress, Row
from hdictl.stack.model import Stack

_CLUSTERS = "microsoft.hdinsight/clusters"


@dataclass(frozen=True)
class Watch:
    """Somebody who looks at the cloud now and then, and tells."""

    cloud: CloudReader
    progress: Progress
    poll_seconds: float
    pause: Callable[[float], None] = time.sleep

    def until_quiet(self, stack: Stack) -> None:
        """What an earlier run has started is waited for, not started again."""
        with goes_on("what is at work there goes on"):
            for deployment in self.cloud.deployments():
                if deployment.is_active:
                    self.progress.step(f"deployment {deployment.name} is already running: waiting for it")
                    self._ended(deployment.name)
            names = [stack.azure_name(key) for key in stack.clusters]
            busy = [name for name in names if (seen := self.cloud.cluster(name)) is not None and seen.is_busy]
            if busy:
                self.progress.step(f"{', '.join(busy)}: HDInsight is at work; waiting for it")
                self.until_at_rest(busy)

    def follow(self, deployment: str) -> None:
        """To the end of a deployment; a bad one is told with its innermost error."""
        with goes_on("the deployment goes on in Azure"):
            ended = self._ended(deployment)
        if ended.state.lower() == "succeeded":
            return
        error = self._innermost(ended)
        raise DeploymentFailed(
            f"{error.code}: {error.message}" if error.code else error.message,
            where=f"deployment {deployment}" + (f", {error.target}" if error.target else ""),
            fix=advice(error) or "mend the cause, then go on with: hdictl apply --target azure",
            code=error.code,
        )

    def _ended(self, name: str) -> CloudDeployment:
        with self.progress.board() as board:
            while True:
                deployment = self.cloud.deployment(name)
                operations = self.cloud.operations(name)
                board.show([self._row(operation) for operation in operations])
                if deployment is None:  # not listed yet, or somebody deleted the record of it
                    deployment = CloudDeployment(name, "Running")
                if not deployment.is_active:
                    return deployment
                self.pause(self.poll_seconds)

    def _row(self, operation: CloudOperation) -> Row:
        state = operation.state
        if operation.type.lower() == _CLUSTERS and state.lower() not in ("succeeded", "failed"):
            cluster = self.cloud.cluster(operation.name)
            state = cluster.state if cluster is not None else state
        return Row(
            f"{operation.type.rpartition('/')[2]} {operation.name}",
            state,
            is_done=state.lower() == "succeeded",
            is_failed=state.lower() == "failed",
        )

    def _innermost(self, ended: CloudDeployment) -> CloudError:
        """That of a resource says more than that of the deployment."""
        failed = [operation for operation in self.cloud.operations(ended.name) if operation.error is not None]
        if failed and failed[0].error is not None:
            error = failed[0].error
            return CloudError(error.code, error.message, error.target or f"{failed[0].type} {failed[0].name}")
        return ended.error or CloudError("", f"it ended as {ended.state} and does not say why")

    def until_at_rest(self, names: Sequence[str]) -> None:
        """Until no one works on these clusters any more."""
        with self.progress.board() as board:
            while True:
                seen = {name: self.cloud.cluster(name) for name in names}
                board.show([_cluster_row(name, cluster) for name, cluster in seen.items()])
                if not any(cluster is not None and cluster.is_busy for cluster in seen.values()):
                    return
                self.pause(self.poll_seconds)

    def done(self, operation: Operation, name: str, doing: str) -> None:
        """Until an operation on a cluster has ended, and the cluster is at rest."""
        with goes_on(f"{doing} of {name} goes on in Azure"), self.progress.board() as board:
            while not operation.wait(self.poll_seconds):
                cluster = self.cloud.cluster(name)
                board.show([Row(name, f"{doing}: {cluster.state if cluster else 'gone'}")])
            board.show([Row(name, doing, is_done=True)])
        with goes_on(f"{doing} of {name} goes on in Azure"):
            self.until_at_rest([name])


def _cluster_row(name: str, cluster: CloudCluster | None) -> Row:
    if cluster is None:
        return Row(name, "gone", is_done=True)
    return Row(name, cluster.state, is_done=cluster.is_running, is_failed=cluster.is_failed)


@contextmanager
def goes_on(what: str) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted(
            f"interrupted; {what}", fix="run the same command again: it goes on where things stand"
        ) from None
