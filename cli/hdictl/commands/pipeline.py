"""pipeline: make one, try it, run it, and see what a change means."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hdictl.commands.options import DEFAULT_STACK, Env, Json, StackFile, Target, TargetName
from hdictl.errors import EXIT_DIFFERENT

app = typer.Typer(no_args_is_help=True, help="Streaming pipelines: PySpark over Kafka topics.")

Name = Annotated[str, typer.Argument(help="Name of the pipeline, or its folder.", metavar="PIPELINE")]
Names = Annotated[
    list[str] | None, typer.Argument(help="Names or folders; default: all below pipelines/.", metavar="PIPELINE")
]


@app.command("new")
def new(
    name: Annotated[str, typer.Argument(help="Name of the pipeline: letters, digits and _.", metavar="NAME")],
    as_json: Json = False,
) -> None:
    """Make a small pipeline below pipelines/, with fixtures that are green.

    Example: hdictl pipeline new page_errors
    """
    from hdictl.drivers.pipeline_folders import new_pipeline
    from hdictl.show.pipelines import show_new
    from hdictl.streaming.pipeline import require_name

    require_name(name)
    show_new(name, new_pipeline(name, Path()), as_json=as_json)


@app.command("test")
def test(
    names: Names = None,
    update: Annotated[bool, typer.Option("--update", help="Write what came as what is expected.")] = False,
    python: Annotated[
        Path | None, typer.Option("--python", help="Use the pyspark of this Python.", exists=True, dir_okay=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Play a pipeline's fixtures through Spark, without Kafka, and compare what comes out. Exit 4 when it differs.

    Example: hdictl pipeline test page_activity
    """
    from hdictl.drivers.spark.trial import TrialRunner
    from hdictl.errors import PipelineFailed
    from hdictl.show.pipelines import show_trials
    from hdictl.show.progress import TerminalProgress
    from hdictl.workflow.pipelines import chosen, tried

    trials = tried(chosen(names, Path()), TrialRunner(python), TerminalProgress(), update=update)
    show_trials(trials, as_json=as_json)
    red = [trial.pipeline for trial in trials if not trial.is_green]
    if red:
        raise PipelineFailed(
            f"{', '.join(red)}: what came is not what is expected",
            where="pipeline test",
            fix="mend the query or the fixtures; when what came is right: hdictl pipeline test --update",
        )


@app.command("run")
def run(
    name: Name,
    job: Annotated[
        str | None, typer.Option("--job", help="Job of the stack whose topics it uses; default: the only one.")
    ] = None,
    available_now: Annotated[bool, typer.Option("--available-now", help="Read what there is now, and end.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Forget the checkpoint of earlier runs.")] = False,
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    as_json: Json = False,
) -> None:
    """Run a pipeline in the foreground, on the topics that a job of the stack names, with a checkpoint of its own.

    Ctrl-C stops it after its micro-batch. What runs in the background is `hdictl jobs submit`.

    Example: hdictl pipeline run page_activity --available-now
    """
    from dataclasses import replace

    from hdictl.commands.session import open_stack
    from hdictl.show.pipelines import show_end, teller
    from hdictl.show.progress import TerminalProgress
    from hdictl.workflow.jobs.attached import run_attached
    from hdictl.workflow.jobs.bound import bind, job_of

    session = open_stack(stack, env, target.value)
    bound = bind(session.stack, job_of(session.stack, name, job), session.target, stack.resolve().parent)
    spec = replace(bound.spec, is_available_now=available_now, group=f"{bound.spec.group}.run")
    with session.target.runner() as runner:
        end = run_attached(runner, spec, TerminalProgress(), teller(as_json=as_json), fresh=fresh)
    show_end(end, as_json=as_json)


@app.command("plan")
def plan(
    name: Name,
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    as_json: Json = False,
) -> None:
    """Analyse a pipeline's queries without data, and say what a change means for the checkpoints of its jobs.

    in place: it goes on from its checkpoint. Exit 4 when a query needs a new checkpoint, or the change is forbidden.
    A warning changes no exit code: state over a source that one micro-batch may read whole.

    Example: hdictl pipeline plan page_activity
    """
    from hdictl.commands.job_session import planned_changes
    from hdictl.show.pipelines import show_changes
    from hdictl.streaming.change import FORBIDDEN, NEW_CHECKPOINT

    changes = planned_changes(name, stack, env, target.value)
    show_changes(name, changes, as_json=as_json)
    if any(change.verdict in (NEW_CHECKPOINT, FORBIDDEN) for change in changes.values()):
        raise typer.Exit(EXIT_DIFFERENT)
