"""Whether a rebalance may begin at all, seen before anybody is asked; `--adopt` watches others' moves to their end."""

from __future__ import annotations

from hdictl.errors import RebalanceBusy, RebalanceStopped
from hdictl.ports.progress import Row
from hdictl.ports.reassignment import PlacementReader
from hdictl.rebalance.journal import Journal, Run
from hdictl.rebalance.placed import listed
from hdictl.rebalance.plan import RebalancePlan
from hdictl.stack.units import count
from hdictl.workflow.rebalance.lock import at_work, named
from hdictl.workflow.rebalance.preflight import require_no_foreign, require_runnable
from hdictl.workflow.rebalance.work import Work

GO_ON = "go on: hdictl rebalance resume; or call it off: hdictl rebalance cancel"


def require_free(work: Work, *, adopt: bool) -> None:
    """Nobody is at work, nothing is unfinished, nothing is on the move."""
    with work.target.journal(work.cluster) as store:
        journal = store.read()
    _require_nobody(work, journal)
    require_finished(journal)
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
    raise RebalanceBusy(f"rebalance {run.id} is not finished: it is at {_phase(run)}", fix=GO_ON)


def _require_nobody(work: Work, journal: Journal) -> None:
    """Whoever is at work is not to be stopped by the advice that helps after somebody died."""
    lease = at_work(journal, work.claim, work.pace)
    if lease is None:
        return
    run = journal.unfinished
    what = "a rebalance is under way" if run is None else f"rebalance {run.id} is under way, at {_phase(run)}"
    raise RebalanceBusy(f"{what}: {named(lease)} is at work", fix="wait for it: hdictl rebalance status")


def _phase(run: Run) -> str:
    return f"`{run.phase}`, batch {run.batch} of {run.batches}" if run.phase == "moving" else f"`{run.phase}`"


def _watch(reader: PlacementReader, work: Work) -> None:
    """Kafka finishes what it began; nobody has to push it."""
    pace = work.pace
    least, gained = None, pace.now()
    if ongoing := reader.ongoing():
        some = count(len(ongoing), "partition is", "partitions are")
        work.progress.step(f"waiting: {some} moved by somebody else: {listed(ongoing)}")
    with work.progress.board() as board:
        while ongoing := reader.ongoing():
            if least is None or len(ongoing) < least:
                least, gained = len(ongoing), pace.now()
            board.show([Row("moves of somebody else", f"{count(len(ongoing), 'partition')} left", is_figures=True)])
            if pace.now() - gained > pace.patience:
                raise RebalanceStopped(
                    f"moves of somebody else do not come to an end: {listed(ongoing)}",
                    fix="see whether a broker is away, or a throttle too low: hdictl status",
                )
            pace.pause(pace.look)
