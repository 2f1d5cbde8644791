"""The command line: commands are gathered here, and failures end here."""

from __future__ import annotations

import errno
import signal
import sys
import threading
from types import FrameType
from typing import Annotated

import typer

from hdictl import __version__
from hdictl.commands import ambari, check, cost, demo, destroy, gateway, local, plan, platform, render, script, topics
from hdictl.errors import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK, DiskFull, FileRefused, HdictlError

_MOMENT = 0.02  # seconds

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


def main() -> None:
    """The one error boundary."""
    signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGTERM, _interrupt)  # a polite end cleans up as Ctrl-C does
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command; returns its exit code. Usage errors, Ctrl-C and a closed pipe are Typer's to handle."""
    is_json = "--json" in arguments
    try:
        app(args=arguments, prog_name="hdictl")
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else EXIT_FAILED
        return _interrupted() if code == EXIT_INTERRUPTED else code
    except KeyboardInterrupt:  # before Typer looks after it
        return _interrupted()
    except HdictlError as error:
        return _shown(error, is_json=is_json)
    except OSError as error:
        return _shown(_named(error), is_json=is_json)
    return EXIT_OK


def _interrupted() -> int:
    typer.echo("\ninterrupted", err=True)
    return EXIT_INTERRUPTED


def _named(error: OSError) -> HdictlError:
    """What the system refuses, wherever it happens, is no bug of ours; an error without a file may be one."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFull("no room is left on the disk", where=error.filename, fix="free some space, then run this again")
    if error.filename is None:
        raise error
    fix = "see that the folder exists and is yours, or name another place"
    return FileRefused(f"{error.strerror}", where=str(error.filename), fix=fix)


def _shown(error: HdictlError, *, is_json: bool) -> int:
    from hdictl.show.errors import show_error

    show_error(error, as_json=is_json)
    return error.exit_code


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Python swallows what is raised inside its own import machinery's callbacks: come again a moment later."""
    if frame is not None and frame.f_code.co_filename.startswith("<frozen importlib"):
        threading.Timer(_MOMENT, signal.raise_signal, (number,)).start()
        return
    raise KeyboardInterrupt
