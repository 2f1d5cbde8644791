"""plan and apply: the loop."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hdictl.commands.options import DEFAULT_STACK, Env, Json, StackFile, Target, TargetName, Yes
from hdictl.errors import EXIT_CHANGES, EXIT_FAILED
from hdictl.plan.wishes import PlanPart

if TYPE_CHECKING:
    from hdictl.commands.session import Session
    from hdictl.plan.change import Plan
    from hdictl.plan.wishes import Wishes

DeleteTopics = Annotated[
    bool, typer.Option("--delete-topics", help="Also delete the topics that the stack lists under `deleted`.")
]
Replace = Annotated[
    list[str] | None,
    typer.Option("--replace", help="A cluster that may be deleted and made anew. May be repeated.", metavar="CLUSTER"),
]
Skip = Annotated[
    list[PlanPart] | None,
    typer.Option("--skip", help="Leave out one of Azure's dry runs, or the topics. May be repeated."),
]


def plan(
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    out: Annotated[Path | None, typer.Option("--out", help="Save the plan for `apply`.", metavar="FILE")] = None,
    delete_topics: DeleteTopics = False,
    replace: Replace = None,
    skip: Skip = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown, for a pull request.")] = False,
    as_json: Json = False,
) -> None:
    """Show what apply would change. Exit 0: nothing, 3: changes, 1: something is refused.

    Example: hdictl plan --out plan.json
    """
    from hdictl.commands.session import open_stack, wished
    from hdictl.plan.saved import write_plan
    from hdictl.show.plans import plan_json, print_plan, to_markdown
    from hdictl.show.terminal import print_json, print_text
    from hdictl.workflow.plan import make_plan

    session = open_stack(stack, env, target.value)
    wishes = wished(session.stack, delete_topics=delete_topics, replace=replace, skip=skip)
    made = make_plan(session.stack, session.target, env=env, wishes=wishes)
    if out is not None:
        write_plan(made, out)
    if as_json:
        print_json("plan", plan_json(made))
    elif markdown:
        print_text(to_markdown(made))
    else:
        print_plan(made)
    if not made.is_empty:
        raise typer.Exit(EXIT_FAILED if made.refusals else EXIT_CHANGES)


def apply(
    saved: Annotated[Path | None, typer.Argument(help="A plan saved by `plan --out`.", metavar="[PLAN]")] = None,
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    delete_topics: DeleteTopics = False,
    replace: Replace = None,
    skip: Skip = None,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Make the clusters what the stack says, or carry out a saved plan; then verify.

    Asks before a change that cannot be taken back. Exit 3: something planned was left undone, as it moves data.

    Example: hdictl apply plan.json
    """
    from hdictl.commands.session import open_stack, wished
    from hdictl.show.applied import show_applied
    from hdictl.show.progress import TerminalProgress
    from hdictl.workflow.converge import carry_out, settle

    session, progress = open_stack(stack, env, target.value), TerminalProgress()
    wishes = wished(session.stack, delete_topics=delete_topics, replace=replace, skip=skip)
    with session.target.lock(f"stack `{session.stack.stack}` on {target.value}"):
        settle(session.stack, session.target, progress)
        chosen = _chosen(session, saved, wishes, yes=yes, is_quiet=as_json)
        converged = carry_out(chosen, session.stack, session.target, progress)
    show_applied(converged, as_json=as_json)
    if not converged.left.is_empty:
        raise typer.Exit(EXIT_CHANGES)


def _chosen(session: Session, saved: Path | None, wishes: Wishes, *, yes: bool, is_quiet: bool) -> Plan:
    """The saved plan when it still holds, else a new one that was shown and, where needed, agreed to."""
    from hdictl.commands.session import confirm
    from hdictl.plan.saved import read_plan, require_fresh
    from hdictl.show.plans import print_plan
    from hdictl.workflow.apply import require_no_refusal
    from hdictl.workflow.converge import irreversible
    from hdictl.workflow.plan import make_plan

    reviewed = read_plan(saved) if saved is not None else None
    now = make_plan(session.stack, session.target, env=session.env, wishes=reviewed.wishes if reviewed else wishes)
    if reviewed is not None and saved is not None:
        require_fresh(reviewed, now, saved)
        require_no_refusal(now)  # the quota may be used up, a name taken, since it was reviewed
        return reviewed
    if not is_quiet:
        print_plan(now)
    losses = irreversible(now)
    if losses:
        listed = "".join(f"\n  {loss}" for loss in losses[:20])
        confirm(f"{len(losses)} of the changes cannot be taken back:{listed}", yes=yes)
    return now
