"""What the journal of a cluster says, and what is under way there, whoever began it."""

from __future__ import annotations

import time

from hdictl.ports.target import Target
from hdictl.rebalance.placed import foreign, standing
from hdictl.rebalance.report import RebalanceStatus


def status(target: Target, cluster: str) -> RebalanceStatus:
    with target.placement_reader(cluster) as reader, target.journal(cluster) as store:
        journal = store.read()
        plan = journal.plan() if journal.run is not None else None
        steps = plan.steps if plan is not None else ()
        ongoing = reader.ongoing()
        stands = standing(steps, reader.placement().partitions, ongoing)
    is_owned = journal.lease is not None and journal.lease.is_running(int(time.time() * 1000))
    return RebalanceStatus(cluster, journal, plan, stands, ongoing, foreign(ongoing, steps), is_owned)
