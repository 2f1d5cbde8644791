"""From the options of a rebalance command to work on a cluster, and to its end: shown, agreed to, done, verified."""

from __future__ import annotations

from pathlib import Path

from hdictl.commands.session import confirm, open_stack
from hdictl.drivers.this_process import is_gone, this_process
from hdictl.errors import VerifyFailed
from hdictl.ports.target import Target
from hdictl.rebalance.batches import batches
from hdictl.rebalance.journal import Command
from hdictl.rebalance.plan import RebalancePlan
from hdictl.rebalance.report import Outcome
from hdictl.rebalance.throttle_wish import ThrottleWish
from hdictl.rebalance.wishes import Wishes
from hdictl.show.progress import TerminalProgress
from hdictl.show.rebalance import show_plan
from hdictl.show.rebalance_journal import show_nothing, show_outcome
from hdictl.show.terminal import say
from hdictl.stack.units import count
from hdictl.workflow.rebalance.entry import require_free, require_startable
from hdictl.workflow.rebalance.lock import Claim
from hdictl.workflow.rebalance.observe import observe_snapshot
from hdictl.workflow.rebalance.run import run_plan
from hdictl.workflow.rebalance.verify import verify
from hdictl.workflow.rebalance.work import Work
from hdictl.workflow.topics import chosen_cluster


def open_work(
    file: Path, env: str | None, target: str, cluster: str | None, *, take_over: bool = False, waits: bool = False
) -> Work:
    session = open_stack(file, env, target)
    return work_on(session.target, chosen_cluster(session.stack, cluster), take_over=take_over, waits=waits)


def work_on(target: Target, cluster: str, *, take_over: bool = False, waits: bool = False) -> Work:
    return Work(target, cluster, Claim(this_process(), is_gone, take_over=take_over, waits=waits), TerminalProgress())


def planned_to_run(work: Work, wishes: Wishes, *, adopt: bool = False) -> RebalancePlan:
    """Nobody waits for a plan that cannot be carried out now."""
    require_free(work, adopt=adopt)
    return planned(work, wishes)


def planned(work: Work, wishes: Wishes) -> RebalancePlan:
    """From what the cluster is at this moment; what is not known about it is said."""
    from hdictl.rebalance.planner import plan

    snapshot, warnings = observe_snapshot(work.target, work.cluster, work.progress, needs_all=True)
    for warning in warnings:
        say(warning)
    return plan(snapshot, wishes)


def carried_out(
    work: Work,
    plan: RebalancePlan,
    throttle: ThrottleWish,
    command: Command,
    *,
    yes: bool,
    as_json: bool,
) -> None:
    """A plan that moves nothing is done already, and leaves the journal alone."""
    if plan.is_empty:
        show_nothing(work.cluster, command, as_json=as_json)
        return
    require_startable(work, plan)
    if not as_json:
        show_plan(plan, batches(plan), command=f"rebalance {command}", throttle=throttle.rate, as_json=False)
    confirm(f"{count(plan.moves, 'replica')} of `{work.cluster}` will move.", yes=yes)
    ended(work, run_plan(work, plan, throttle, command), command, as_json=as_json)


def ended(work: Work, outcome: Outcome, command: str, *, as_json: bool) -> None:
    require_verified(work, outcome)
    show_outcome(outcome, command, as_json=as_json)


def require_verified(work: Work, outcome: Outcome) -> None:
    """Seen, not believed: the cluster is looked at once more."""
    verdict = verify(work.target, work.cluster, work.pace)
    if not verdict.is_verified:
        raise VerifyFailed(
            "\n".join((f"rebalance {outcome.run.id} is {outcome.run.phase}, yet:", *verdict.differences)),
            where=f"cluster `{work.cluster}`",
            fix="look again: hdictl rebalance verify; go on from here: hdictl rebalance run",
        )
