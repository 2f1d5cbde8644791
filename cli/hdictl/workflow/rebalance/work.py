"""A cluster, and how somebody wants to work on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from hdictl.ports.progress import Progress
from hdictl.ports.reassignment import PlacementWriter
from hdictl.ports.target import Target
from hdictl.workflow.rebalance.lock import Claim, Held, held
from hdictl.workflow.rebalance.pace import DEFAULT_PACE, Pace
from hdictl.workflow.rebalance.waiting import Waiting


@dataclass(frozen=True)
class Work:
    target: Target
    cluster: str
    claim: Claim
    progress: Progress
    pace: Pace = DEFAULT_PACE

    @contextmanager
    def alone(self) -> Iterator[tuple[PlacementWriter, Held]]:
        """Nobody else moves partitions of this cluster meanwhile."""
        with (
            self.target.placement_writer(self.cluster) as writer,
            self.target.journal(self.cluster) as store,
            held(store, self.claim, self.progress, self.pace) as taken,
        ):
            yield writer, taken

    def waiting(self, taken: Held) -> Waiting:
        return Waiting(taken, self.progress, self.pace)
