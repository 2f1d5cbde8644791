"""Back to where partitions were before the last rebalance; itself a rebalance with a journal."""

from __future__ import annotations

from hdictl.errors import JournalMissing
from hdictl.rebalance.plan import RebalancePlan
from hdictl.rebalance.way_back import way_back
from hdictl.workflow.rebalance.observe import observe_snapshot
from hdictl.workflow.rebalance.run import cancel
from hdictl.workflow.rebalance.work import Work


def rollback_plan(work: Work) -> RebalancePlan:
    """What the last run moved, the other way. One that is not finished is called off first."""
    with work.target.journal(work.cluster) as store:
        journal = store.read()
        if journal.run is None:
            raise JournalMissing("no rebalance of this cluster is known", fix="there is nothing to take back")
        plan = journal.plan()
    if journal.unfinished is not None:
        work.progress.step(f"rebalance {journal.run.id} is not finished: it is called off first")
        cancel(work)
    snapshot, _ = observe_snapshot(work.target, work.cluster, work.progress)
    return way_back(plan, snapshot)
