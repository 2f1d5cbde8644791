"""`run`, `resume` and their ends: finished, interrupted, stopped."""

from __future__ import annotations

import time
import uuid

from hdictl.errors import HdictlError, Interrupted, JournalMissing, RebalanceBusy, RebalanceStopped
from hdictl.ports.reassignment import PlacementWriter
from hdictl.rebalance.journal import Command, Run, forgotten, plan_records, run_record
from hdictl.rebalance.plan import RebalancePlan
from hdictl.rebalance.report import Outcome
from hdictl.rebalance.throttle_wish import ThrottleWish, throttle_wish
from hdictl.stack.units import count
from hdictl.workflow.rebalance.cancel import call_off
from hdictl.workflow.rebalance.entry import GO_ON, require_finished
from hdictl.workflow.rebalance.execution import Execution
from hdictl.workflow.rebalance.lock import Held
from hdictl.workflow.rebalance.preflight import require_runnable
from hdictl.workflow.rebalance.work import Work


def run_plan(work: Work, plan: RebalancePlan, throttle: ThrottleWish, command: Command = "run") -> Outcome:
    with work.alone() as (cluster, taken):
        run = _begin(cluster, taken, plan, throttle, command)
        return _ended(work, Execution(cluster, run, throttle, work.waiting(taken)))


def resume(work: Work, throttle: ThrottleWish | None) -> Outcome:
    """Goes on with a run, or with its cancelling, from where the cluster says that it stands."""
    with work.alone() as (cluster, taken):
        run = _unfinished(taken, "go on with")
        wish = throttle or throttle_wish(run.throttle)
        return _ended(work, Execution(cluster, run, wish, work.waiting(taken)))


def cancel(work: Work) -> Outcome:
    with work.alone() as (cluster, taken):
        run = _unfinished(taken, "call off")
        execution = Execution(cluster, run, throttle_wish(run.throttle), work.waiting(taken))
        return _ended(work, execution, is_cancel=True)


def _begin(
    cluster: PlacementWriter,
    taken: Held,
    plan: RebalancePlan,
    throttle: ThrottleWish,
    command: Command,
) -> Run:
    """From its last record on, this can be resumed; before it, nothing was touched."""
    require_finished(taken.journal)
    require_runnable(plan, cluster.placement(), cluster.ongoing())
    id = f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{uuid.uuid4().hex[:4]}"
    records = plan_records(id, plan)
    run = Run(id, command, "planned", throttle.text, len(records))
    taken.write(*records)
    taken.write(run_record(run, taken.owner))
    taken.write(*forgotten(taken.journal, keep=id))
    return run


def _unfinished(taken: Held, verb: str) -> Run:
    if taken.journal.unfinished is not None:
        return taken.journal.unfinished
    last = taken.journal.run
    said = "there has been none" if last is None else f"the last one, {last.id}, is {last.phase}"
    raise JournalMissing(f"there is no rebalance to {verb}: {said}", fix="begin one: hdictl rebalance run")


def _ended(work: Work, execution: Execution, *, is_cancel: bool = False) -> Outcome:
    began = work.pace.now()
    try:
        if is_cancel or execution.run.is_cancelled:
            call_off(execution)
        else:
            execution.carry_out()
    except KeyboardInterrupt:
        raise Interrupted(f"interrupted; {_left_behind(execution)}", fix=GO_ON) from None
    except RebalanceBusy:
        raise
    except HdictlError as error:
        raise RebalanceStopped(
            f"{error.what}\n{_tally(execution)}", where=f"cluster `{work.cluster}`", fix=GO_ON
        ) from error
    return Outcome(execution.run, execution.plan, execution.stands(), work.pace.now() - began)


def _left_behind(execution: Execution) -> str:
    """Throttles are needed as long as something moves."""
    try:
        moving = execution.stands().moving
        if moving:
            return f"{_going_on(len(moving))}; {_tally(execution)}"
        execution.restore_throttles()
    except HdictlError as error:
        return f"throttles may be left: {error.what}"
    return f"nothing moves any more, throttles are as they were; {_tally(execution)}"


def _going_on(number: int) -> str:
    return count(
        number, "partition goes on moving, with its throttles", "partitions go on moving, with their throttles"
    )


def _tally(execution: Execution) -> str:
    try:
        stands = execution.stands()
    except HdictlError:
        return "how far it is cannot be seen now"
    return f"{len(stands.done)} of {count(len(execution.plan.steps), 'partition')} in place"
