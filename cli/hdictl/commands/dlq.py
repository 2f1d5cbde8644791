"""jobs dlq: records that a job could not use."""

from __future__ import annotations

from typing import Annotated

import typer

from hdictl.commands.options import DEFAULT_STACK, Env, Json, StackFile, Target, TargetName, Yes

app = typer.Typer(no_args_is_help=True, help="Dead letters of a job.")

JobName = Annotated[str, typer.Argument(help="Name of a job in the stack.", metavar="JOB")]
Error = Annotated[
    str | None, typer.Option("--error", help="Only with this error, such as missing or missing:page.", metavar="ERROR")
]


@app.command("show")
def show(
    name: JobName,
    error: Error = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=0, help="Show this many, the newest.")] = 10,
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    as_json: Json = False,
) -> None:
    """Show how many dead letters there are of each kind, and the newest of them.

    Example: hdictl jobs dlq show page-activity --error malformed
    """
    from hdictl.commands.job_session import open_jobs
    from hdictl.show.letters import show_letters
    from hdictl.streaming.letters import is_wanted
    from hdictl.workflow.jobs.letters import read_letters

    session = open_jobs(stack, env, target.value, [name])
    bound = session.bound(name)
    with session.target.records(bound.kafka) as stream:
        found = [letter for letter in read_letters(bound, stream) if is_wanted(letter, error)]
    show_letters(name, found, limit, as_json=as_json)


@app.command("replay")
def replay(
    name: JobName,
    error: Error = None,
    again: Annotated[bool, typer.Option("--again", help="Also those that were sent again before.")] = False,
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Send dead letters again to the topics they came from, byte for byte. It says how many, and asks.

    What has been sent again is not sent a second time; with --error, only those are chosen, and the others still wait.

    Example: hdictl jobs dlq replay page-activity --error expectation:known_type
    """
    from hdictl.commands.job_session import open_jobs
    from hdictl.commands.session import confirm
    from hdictl.show.letters import described_replay, show_replay
    from hdictl.workflow.jobs.letters import Choice, carry_out, plan_replay

    session = open_jobs(stack, env, target.value, [name])
    for bound, driver in session.each():
        with session.target.records(bound.kafka) as stream, driver.storage(name) as storage:
            with session.target.offsets(bound.kafka) as kafka:
                plan = plan_replay(bound, stream, kafka, storage, Choice(error, again))
            if plan.letters:
                confirm(described_replay(plan), yes=yes)
            sent = carry_out(stream, storage, plan)
        show_replay(name, plan, sent, as_json=as_json)
