"""jobs: submit streaming jobs, look at them, stop them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hdictl.commands import checkpoint, dlq
from hdictl.commands.options import DEFAULT_STACK, Env, Json, StackFile, Target, TargetName
from hdictl.errors import EXIT_DIFFERENT, EXIT_FAILED

if TYPE_CHECKING:
    from hdictl.ports.job_driver import JobDriver
    from hdictl.streaming.lag import QueryLag
    from hdictl.streaming.outcomes import FailedJob

app = typer.Typer(no_args_is_help=True, help="Streaming jobs of the stack, on this machine or on a cluster.")
app.add_typer(checkpoint.app, name="checkpoint")
app.add_typer(dlq.app, name="dlq")

JobName = Annotated[str, typer.Argument(help="Name of a job in the stack.", metavar="JOB")]
JobNames = Annotated[list[str] | None, typer.Argument(help="Names; default: all of the stack.", metavar="JOB")]
StopTimeout = Annotated[
    str, typer.Option("--timeout", help="After this it is ended by force; its batch is run again.", metavar="DURATION")
]


@app.command("submit")
def submit(
    names: JobNames = None,
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    timeout: StopTimeout = "2m",
    as_json: Json = False,
) -> None:
    """Start jobs, or bring them up to date: what runs and has not changed is left alone.

    A job that has changed is stopped between two micro-batches and goes on from its checkpoint. It waits until jobs are
    at work. Exit 1 when one is not after three minutes; it goes on, and submitted again it is waited for again.

    Example: hdictl jobs submit page-activity
    """
    from hdictl.commands.job_session import open_jobs
    from hdictl.show.jobs import show_submitted
    from hdictl.workflow.jobs.submit import Patience, submit_job
    from hdictl.workflow.jobs.succession import comparison

    session = open_jobs(stack, env, target.value, names)
    patience, compare = Patience(stop=session.seconds(timeout)), comparison(session.target.offsets)
    done, failed = session.attempt(
        lambda name, driver: submit_job(
            driver, session.bound(name), session.progress, compare=compare, patience=patience
        )
    )
    show_submitted("jobs submit", done, failed, as_json=as_json)
    _end(failed)


@app.command("restart")
def restart(
    names: JobNames = None,
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    timeout: StopTimeout = "2m",
    as_json: Json = False,
) -> None:
    """Stop jobs between two micro-batches, and start them again from their checkpoints.

    Example: hdictl jobs restart page-activity
    """
    from hdictl.commands.job_session import open_jobs
    from hdictl.show.jobs import show_submitted
    from hdictl.workflow.jobs.submit import Patience, submit_job
    from hdictl.workflow.jobs.succession import comparison

    session = open_jobs(stack, env, target.value, names)
    patience, compare = Patience(stop=session.seconds(timeout)), comparison(session.target.offsets)
    done, failed = session.attempt(
        lambda name, driver: submit_job(
            driver, session.bound(name), session.progress, compare=compare, is_forced=True, patience=patience
        )
    )
    show_submitted("jobs restart", done, failed, as_json=as_json)
    _end(failed)


@app.command("list")
def list_jobs(
    stack: StackFile = DEFAULT_STACK, env: Env = None, target: Target = TargetName.local, as_json: Json = False
) -> None:
    """List the stack's jobs, and how each stands.

    Example: hdictl jobs list
    """
    from hdictl.commands.job_session import open_jobs
    from hdictl.show.jobs import show_jobs

    session = open_jobs(stack, env, target.value, None)
    show_jobs("jobs list", [*session.statuses(), *session.strays()], as_json=as_json)


@app.command("status")
def status(
    names: JobNames = None,
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    as_json: Json = False,
) -> None:
    """Show jobs with their queries. Exit 4 when one has failed or was lost.

    Example: hdictl jobs status page-activity
    """
    from hdictl.commands.job_session import open_jobs
    from hdictl.show.jobs import show_status

    found = open_jobs(stack, env, target.value, names).statuses()
    show_status(found, as_json=as_json)
    if not all(job.is_well for job in found):
        raise typer.Exit(EXIT_DIFFERENT)


@app.command("logs")
def logs(
    name: JobName,
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    lines: Annotated[int, typer.Option("--lines", "-n", min=0, help="How many of the last lines.")] = 50,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on until the job is over.")] = False,
    as_json: Json = False,
) -> None:
    """Print what a job says: one JSON line a micro-batch, and Spark's warnings.

    Example: hdictl jobs logs page-activity -f
    """
    from hdictl.commands.job_session import open_jobs
    from hdictl.show.terminal import print_json_line, print_text

    for line in open_jobs(stack, env, target.value, [name]).log(lines=lines, follow=follow):
        if as_json:
            print_json_line({"job": name, "line": line})
        else:
            print_text(line)


@app.command("stop")
def stop(
    names: JobNames = None,
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    timeout: StopTimeout = "2m",
    as_json: Json = False,
) -> None:
    """Stop jobs after the micro-batch that they are at. Nothing is lost: they resume from their checkpoints.

    Example: hdictl jobs stop page-activity --timeout 30s
    """
    from hdictl.commands.job_session import open_jobs
    from hdictl.show.jobs import show_stopped
    from hdictl.workflow.jobs.stop import stop_job

    session = open_jobs(stack, env, target.value, names, with_strays=True)
    seconds = session.seconds(timeout)
    done, failed = session.attempt(lambda name, driver: stop_job(driver, name, session.progress, timeout=seconds))
    show_stopped(done, failed, as_json=as_json)
    _end(failed)


@app.command("lag")
def lag(
    names: JobNames = None,
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    as_json: Json = False,
) -> None:
    """Show how far jobs are behind, in records and seconds, and when they will have caught up.

    Example: hdictl jobs lag
    """
    from hdictl.commands.job_session import open_jobs
    from hdictl.show.lag import show_lag
    from hdictl.workflow.jobs.lag import job_lag

    session = open_jobs(stack, env, target.value, names)

    def look(name: str, driver: JobDriver) -> tuple[str, tuple[QueryLag, ...]]:
        bound = session.bound(name)
        with session.target.offsets(bound.kafka) as kafka:
            return name, job_lag(driver, bound, kafka)

    found, failed = session.attempt(look)
    show_lag(dict(found), failed, as_json=as_json)
    _end(failed)


def _end(failed: list[FailedJob]) -> None:
    """Of a command that has seen to all, and told what became of each."""
    if failed:
        raise typer.Exit(EXIT_FAILED)
