"""jobs checkpoint: where a job's queries stand, and how they begin anew."""

from __future__ import annotations

from typing import Annotated

import typer

from hdictl.commands.options import DEFAULT_STACK, Env, Json, StackFile, Target, TargetName, Yes

app = typer.Typer(no_args_is_help=True, help="Checkpoints of a job.")

JobName = Annotated[str, typer.Argument(help="Name of a job in the stack.", metavar="JOB")]


@app.command("show")
def show(
    name: JobName,
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    as_json: Json = False,
) -> None:
    """Show where each query stands, what is pinned in its checkpoint, and what it belongs to.

    Example: hdictl jobs checkpoint show page-activity
    """
    from hdictl.commands.job_session import open_jobs
    from hdictl.show.checkpoints import show_checkpoints
    from hdictl.workflow.jobs.checkpoints import read_checkpoints

    for job, driver in open_jobs(stack, env, target.value, [name]).drivers():
        with driver.storage(job) as storage:
            show_checkpoints(job, read_checkpoints(storage), as_json=as_json)


@app.command("reset")
def reset(
    name: JobName,
    to: Annotated[
        str, typer.Option("--to", help="Where to begin: earliest, latest, committed, or 2h (ago).", metavar="PLACE")
    ],
    query: Annotated[
        list[str] | None, typer.Option("--query", help="Only this query; default: all.", metavar="QUERY")
    ] = None,
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Move a stopped job's checkpoints aside, so that it begins anew. It says what is skipped or read again, and asks.

    Nothing is deleted: the old checkpoints stay below checkpoints/_old.

    Example: hdictl jobs checkpoint reset page-activity --to committed
    """
    from hdictl.commands.job_session import open_jobs
    from hdictl.commands.session import confirm
    from hdictl.show.checkpoints import described_reset, show_reset
    from hdictl.workflow.jobs.reset import carry_out, plan_reset

    session = open_jobs(stack, env, target.value, [name])
    for bound, driver in session.each():
        with session.target.offsets(bound.kafka) as kafka:
            plan = plan_reset(driver, bound, kafka, to=to, queries=tuple(query or ()))
        confirm(described_reset(plan), yes=yes)
        carry_out(driver, plan)
        show_reset(plan, as_json=as_json)
