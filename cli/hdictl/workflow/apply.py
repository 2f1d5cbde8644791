"""Carry out a plan. The only phase that changes anything.

What was done stays done: a crash, a Ctrl-C or a dead broker leaves a shorter plan, and the next run goes on there.
"""

from __future__ import annotations

from collections.abc import Callable

from hdictl.errors import ApplyFailed, HdictlError, Interrupted, PlanRefused
from hdictl.plan.applied import Applied
from hdictl.plan.change import Action, Change, Plan
from hdictl.ports.progress import Progress
from hdictl.ports.target import Target
from hdictl.stack.model import Stack
from hdictl.workflow.apply_topics import apply_topics
from hdictl.workflow.cloud.build import build
from hdictl.workflow.plan_topics import plan_topics


def apply_plan(plan: Plan, stack: Stack, target: Target, progress: Progress) -> Applied:
    require_no_refusal(plan)
    todo = plan.to_do
    applied = Applied(done=0, total=len(todo), deferred=len(plan.changes) - len(todo))
    try:
        _build(plan, stack, target, progress, applied)
        topics = _placed(plan, stack, target)
        with progress.track("applying", len(topics)) as advance:
            for cluster in sorted({change.cluster for change in topics}):
                mine = [change for change in topics if change.cluster == cluster]
                with target.writer(cluster) as writer:
                    apply_topics(mine, writer, _both(applied.finished, advance))
    except KeyboardInterrupt:
        raise Interrupted(
            f"interrupted; {applied.done} of {applied.total} changes are made", fix="go on with: hdictl apply"
        ) from None
    except Interrupted:
        raise
    except HdictlError as error:
        raise ApplyFailed(
            f"{applied.done} of {applied.total} changes are made, then: {error.what}",
            where=error.where,
            fix=f"{error.fix + '; then ' if error.fix else ''}go on with: hdictl apply",
        ) from error
    return applied


def _both(one: Callable[[int], None], other: Callable[[int], None]) -> Callable[[int], None]:
    def tell(count: int) -> None:
        one(count)
        other(count)

    return tell


def _build(plan: Plan, stack: Stack, target: Target, progress: Progress, applied: Applied) -> None:
    below = [change for change in plan.to_do if change.kind != "topic"]
    infrastructure = target.infrastructure()
    if infrastructure is not None and below:
        build(below, stack, infrastructure, progress, applied.finished)


def _placed(plan: Plan, stack: Stack, target: Target) -> list[Change]:
    """Topics on clusters that did not exist when the plan was made have no brokers yet: now they get them."""
    topics = [change for change in plan.to_do if change.kind == "topic"]
    unplaced = {change.address for change in topics if _is_unplaced(change)}
    if not unplaced:
        return topics
    now = plan_topics(stack, target, plan.wishes).comparison
    if now.refusals:
        raise ApplyFailed(
            f"{now.refusals[0].address}: {now.refusals[0].what}", fix=f"{now.refusals[0].fix}; then: hdictl apply"
        )
    return [change for change in topics if not _is_unplaced(change)] + [
        change for change in now.changes if change.address in unplaced and change.action is Action.CREATE
    ]


def _is_unplaced(change: Change) -> bool:
    return change.action is Action.CREATE and "assignment" not in (change.after or {})


def require_no_refusal(plan: Plan) -> None:
    if not plan.refusals:
        return
    listed = "".join(f"\n  {refusal.address}: {refusal.what}\n    → {refusal.fix}" for refusal in plan.refusals)
    count = len(plan.refusals)
    raise PlanRefused(
        f"nothing was touched: {count} refusal{'s' if count > 1 else ''}{listed}", fix="mend the stack file"
    )
