"""What the journal of a cluster says, and what is under way there, whoever began it."""

from __future__ import annotations

from hdictl.rebalance.placed import foreign, standing
from hdictl.rebalance.report import RebalanceStatus
from hdictl.workflow.rebalance.lock import at_work
from hdictl.workflow.rebalance.work import Work


def status(work: Work) -> RebalanceStatus:
    with work.target.placement_reader(work.cluster) as reader, work.target.journal(work.cluster) as store:
        journal = store.read()
        plan = journal.plan() if journal.run is not None else None
        steps = plan.steps if plan is not None else ()
        ongoing = reader.ongoing()
        stands = standing(steps, reader.placement().partitions, ongoing)
    is_owned = at_work(journal, work.claim, work.pace) is not None
    return RebalanceStatus(work.cluster, journal, plan, stands, ongoing, foreign(ongoing, steps), is_owned)
