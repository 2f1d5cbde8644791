"""Whether a rebalance may begin at all, seen before anybody is asked; `--adopt` watches others' moves to their end."""

from __future__ import annotations

from hdictl.errors import RebalanceBusy, RebalanceStopped
from hdictl.ports.progress import Row
from hdictl.ports.reassignment import PlacementReader
from hdictl.rebalance.journal import Journal
from hdictl.rebalance.placed import listed
from hdictl.rebalance.plan import RebalancePlan
from hdictl.workflow.rebalance.preflight import require_no_foreign, require_runnable
from hdictl.workflow.rebalance.work import Work

GO_ON = "go on: hdictl rebalance resume; or call it off: hdictl rebalance cancel"


def require_free(work: Work, *, adopt: bool) -> None:
    """Nobody is at work, nothing is unfinished, nothing is on the move."""
    with work.target.journal(work.cluster) as store:
        require_finished(store.read())
    with work.target.placement_reader(work.cluster) as reader:
        if adopt:
            _watch(reader, work)
        require_no_foreign(reader.ongoing())


def require_startable(work: Work, plan: RebalancePlan) -> None:
    """The same refusals as later under the lock, while there is still somebody to ask."""
    with work.target.placement_reader(work.cluster) as reader:
        require_runnable(plan, reader.placement(), reader.ongoing())


def require_finished(journal: Journal) -> None:
    run = journal.unfinished
    if run is None:
        return
    at = f"`{run.phase}`, batch {run.batch} of {run.batches}" if run.phase == "moving" else f"`{run.phase}`"
    raise RebalanceBusy(f"rebalance {run.id} is not finished: it is at {at}", fix=GO_ON)


def _watch(reader: PlacementReader, work: Work) -> None:
    """Kafka finishes what it began; nobody has to push it."""
    pace = work.pace
    least, gained = None, pace.now()
    if ongoing := reader.ongoing():
        work.progress.step(f"waiting: {len(ongoing)} partitions are moved by somebody else: {listed(ongoing)}")
    with work.progress.board() as board:
        while ongoing := reader.ongoing():
            if least is None or len(ongoing) < least:
                least, gained = len(ongoing), pace.now()
            board.show([Row("moves of somebody else", f"{len(ongoing)} partitions left", is_figures=True)])
            if pace.now() - gained > pace.patience:
                raise RebalanceStopped(
                    f"{len(ongoing)} partitions that somebody else moves do not come to an end: {listed(ongoing)}",
                    fix="see whether a broker is away, or a throttle too low: hdictl status",
                )
            pace.pause(pace.look)
