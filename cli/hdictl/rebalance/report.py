"""What is said of a rebalance: how it ended, how it stands, whether the cluster agrees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hdictl.rebalance.journal import Journal, Run
from hdictl.rebalance.placed import Ongoing, Standing
from hdictl.rebalance.plan import RebalancePlan
from hdictl.rebalance.snapshot import PartitionKey


@dataclass(frozen=True)
class Outcome:
    """A run that came to its end, finished or cancelled."""

    run: Run
    plan: RebalancePlan
    stands: Standing
    seconds: float


@dataclass(frozen=True)
class Verdict:
    cluster: str
    run: Run | None
    partitions: int  # that were looked at
    differences: tuple[str, ...]

    @property
    def is_verified(self) -> bool:
        return not self.differences


@dataclass(frozen=True)
class RebalanceStatus:
    cluster: str
    journal: Journal
    plan: RebalancePlan | None
    stands: Standing
    ongoing: Mapping[PartitionKey, Ongoing]
    foreign: Mapping[PartitionKey, Ongoing]  # of `ongoing`, what no step of the plan asked for
    is_owned: bool  # somebody is at work, as far as can be seen from here
