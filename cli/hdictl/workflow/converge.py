"""Plan, apply and verify in one go: what `up`, `apply` and the demo do once nobody has to be asked."""

from __future__ import annotations

from dataclasses import replace

from hdictl.errors import NotConfirmed
from hdictl.plan.applied import Converged
from hdictl.plan.change import Plan
from hdictl.plan.wishes import DRY_RUNS
from hdictl.ports.progress import Progress
from hdictl.ports.target import Target
from hdictl.stack.model import Stack
from hdictl.workflow.apply import apply_plan, require_no_refusal
from hdictl.workflow.cloud.wait import Watch
from hdictl.workflow.plan import make_plan
from hdictl.workflow.verify import verify


def carry_out(plan: Plan, stack: Stack, target: Target, progress: Progress) -> Converged:
    """Apply a plan and verify it. The caller holds the target's lock."""
    applied = apply_plan(plan, stack, target, progress)
    wishes = replace(plan.wishes, replace=frozenset(), skip=plan.wishes.skip | DRY_RUNS)
    left = verify(lambda: make_plan(stack, target, env=plan.env, wishes=wishes))
    return Converged(plan, applied, left)


def settle(stack: Stack, target: Target, progress: Progress) -> None:
    """Wait for what an earlier run has started in the cloud, so that a plan is made of things at rest."""
    infrastructure = target.infrastructure()
    if infrastructure is None:
        return
    with infrastructure.cloud() as cloud:
        Watch(cloud, progress, infrastructure.poll_seconds).until_quiet(stack)


def converge(stack: Stack, target: Target, *, env: str | None, progress: Progress) -> Converged:
    """Bring the topics to what the stack says, unless that takes something away for good."""
    plan = make_plan(stack, target, env=env)
    require_no_refusal(plan)
    if irreversible(plan):
        raise NotConfirmed(
            "the topics differ from the stack in ways that cannot be taken back; no topic was touched",
            fix="look at them and decide: hdictl plan, then hdictl apply",
        )
    return carry_out(plan, stack, target, progress)


def irreversible(plan: Plan) -> tuple[str, ...]:
    """The changes that a person has to agree to, in words."""
    return tuple(
        f"{change.action.value} {change.address}: {'; '.join(change.notes)}"
        for change in plan.to_do
        if change.is_irreversible
    )
