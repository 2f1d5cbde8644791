"""The command line: commands are gathered here, and failures end here."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Annotated

import typer

from hdictl import __version__, interrupt
from hdictl.commands import (
    ambari,
    check,
    cost,
    demo,
    destroy,
    gateway,
    jobs,
    local,
    pipeline,
    plan,
    platform,
    rebalance,
    render,
    script,
    topics,
)
from hdictl.errors import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK, DiskFull, FileRefused, HdictlError

app = typer.Typer(
    name="hdictl",
    help="Infrastructure as code for managed Kafka and Spark on Azure HDInsight, and the same stack on a laptop.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help loads nothing and reads the same everywhere
)
for command in (
    check.check,
    check.schema,
    check.explain,
    platform.up,
    platform.down,
    platform.status,
    platform.logs,
    platform.scale,
    render.render,
    plan.plan,
    plan.apply,
    destroy.destroy,
    gateway.gateway,
    cost.cost,
    demo.demo,
):
    app.command()(command)
app.add_typer(topics.app, name="topics")
app.add_typer(local.app, name="local")
app.add_typer(ambari.app, name="ambari")
app.add_typer(script.app, name="script")
app.add_typer(rebalance.app, name="rebalance")
app.add_typer(pipeline.app, name="pipeline")
app.add_typer(jobs.app, name="jobs")


def _print_version(is_asked: bool) -> None:
    if is_asked:
        typer.echo(f"hdictl {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """Options before the command."""


def run(arguments: list[str]) -> int:
    """The one error boundary: run one command, return its exit code. Typer handles wrong usage and a closed pipe."""
    is_json = "--json" in arguments
    try:
        app(args=arguments, prog_name="hdictl")
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else EXIT_FAILED
        return _interrupted() if code == EXIT_INTERRUPTED else code
    except KeyboardInterrupt:  # before Typer looks after it
        return _interrupted()
    except Exception as error:
        code = _shown(error, is_json=is_json)
        return _interrupted() if interrupt.came_of_interrupt(error) and code != EXIT_INTERRUPTED else code
    return EXIT_OK


def _interrupted() -> int:
    typer.echo("\ninterrupted", err=True)
    return EXIT_INTERRUPTED


def _shown(error: Exception, *, is_json: bool) -> int:
    from hdictl.show.errors import show_error

    named = error if isinstance(error, HdictlError) else _named(error)
    if named is not None:
        show_error(named, as_json=is_json)
        return named.exit_code
    if interrupt.came_of_interrupt(error):
        return EXIT_FAILED  # what breaks when it is torn down in the middle is nobody's news
    raise error


def _named(error: Exception) -> HdictlError | None:
    """What the system refuses, wherever it happens, is no bug of ours; an error without a file may be one."""
    if not isinstance(error, OSError):
        return None
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFull("no room is left on the disk", where=error.filename, fix="free some space, then run this again")
    if error.filename is None:
        return None
    if error.errno == errno.ENOENT and Path(str(error.filename)).parent.is_dir():
        return FileRefused("there is no such file", where=str(error.filename), fix="see how its name is spelled")
    fix = "see that the folder exists and is yours, or name another place"
    return FileRefused(f"{error.strerror}", where=str(error.filename), fix=fix)
