"""Following what was started to its end: a deployment, a cluster at work, one that is being deleted.

Nothing here starts anything, so that a run that was killed is picked up by the next one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from hdictl.errors import DeploymentFailed, Interrupted, PermissionMissing, StillRunning
from hdictl.plan.cloud import CloudCluster, CloudDeployment, CloudError, CloudOperation, is_cluster
from hdictl.plan.cloud_advice import advice
from hdictl.ports.cloud import CloudReader, Operation
from hdictl.ports.progress import Progress, Row
from hdictl.stack.model import Stack

_Found = TypeVar("_Found")
_PATIENCE = 5400.0  # seconds; clusters take 15 to 20 minutes, and other tools give up after 60


@dataclass(frozen=True)
class Watch:
    """Somebody who looks at the cloud now and then, and tells."""

    cloud: CloudReader
    progress: Progress
    poll_seconds: float
    pause: Callable[[float], None] = time.sleep
    now: Callable[[], float] = time.monotonic

    def until(self, what: str, look: Callable[[], _Found | None]) -> _Found:
        """Look time after time until there is something to see, or it has been too long."""
        deadline = self.now() + _PATIENCE
        while (found := look()) is None:
            if self.now() > deadline:
                raise StillRunning(
                    f"{what} has not ended after {_PATIENCE / 60:.0f} minutes; it goes on in Azure",
                    fix="look at it in the portal; the same command waits again",
                )
            self.pause(self.poll_seconds)
        return found

    def ended(self, operation: Operation, what: str) -> None:
        """To the end of an operation that has nothing to show on the way."""
        self.until(what, lambda: operation.wait(0) or None)

    def until_quiet(self, stack: Stack) -> None:
        """What an earlier run has started is waited for, not started again."""
        with goes_on("what is at work there goes on"):
            for deployment in self._deployments():
                if deployment.is_active:
                    self.progress.step(f"deployment {deployment.name} is already running: waiting for it")
                    self._deployed(deployment.name)
            names = [stack.azure_name(key) for key in stack.clusters]
            busy = [name for name in names if _is_busy(self.cloud.cluster(name))]
            if busy:
                self.progress.step(f"{', '.join(busy)}: HDInsight is at work; waiting for it")
                self.until_at_rest(busy)

    def _deployments(self) -> tuple[CloudDeployment, ...]:
        try:
            return self.cloud.deployments()
        except PermissionMissing as error:
            self.progress.step(f"deployments were not looked at: {error.what}")
            return ()

    def follow(self, deployment: str) -> None:
        """To the end of a deployment; a bad one is told with its innermost error."""
        with goes_on("the deployment goes on in Azure"):
            ended = self._deployed(deployment)
        if ended.state.lower() == "succeeded":
            return
        error = self._innermost(ended)
        raise DeploymentFailed(
            f"{error.code}: {error.message}" if error.code else error.message,
            where=f"deployment {deployment}" + (f", {error.target}" if error.target else ""),
            fix=advice(error) or "mend the cause, then go on with: hdictl apply --target azure",
            code=error.code,
        )

    def _deployed(self, name: str) -> CloudDeployment:
        with self.progress.board() as board:

            def look() -> CloudDeployment | None:
                deployment = self.cloud.deployment(name)
                board.show([self._row(operation) for operation in self.cloud.operations(name)])
                return None if deployment is None or deployment.is_active else deployment

            return self.until(f"deployment {name}", look)

    def _row(self, operation: CloudOperation) -> Row:
        state = operation.state
        if is_cluster(operation.type) and state.lower() not in ("succeeded", "failed"):
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
        if not any(_is_busy(self.cloud.cluster(name)) for name in names):
            return
        with self.progress.board() as board:

            def look() -> bool | None:
                seen = {name: self.cloud.cluster(name) for name in names}
                board.show([_cluster_row(name, cluster) for name, cluster in seen.items()])
                return None if any(map(_is_busy, seen.values())) else True

            self.until(f"work on {', '.join(names)}", look)

    def done(self, operation: Operation, name: str, doing: str) -> None:
        """Until an operation on a cluster has ended, and the cluster is at rest."""
        with goes_on(f"{doing} of {name} goes on in Azure"):
            with self.progress.board() as board:

                def look() -> bool | None:
                    cluster = self.cloud.cluster(name)
                    is_over = operation.wait(0)
                    state = "done" if is_over else cluster.state if cluster is not None else "gone"
                    board.show([Row(name, f"{doing}: {state}", is_done=is_over)])
                    return True if is_over else None

                self.until(f"{doing} of {name}", look)
            self.until_at_rest([name])


def _is_busy(cluster: CloudCluster | None) -> bool:
    return cluster is not None and cluster.is_busy


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
