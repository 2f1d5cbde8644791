"""The command line: commands are gathered here, and failures end here."""

from __future__ import annotations

import errno
import os
import signal
import sys
from typing import Annotated, Any

import click
import typer

from hdictl import __version__
from hdictl.commands import check, demo, local, plan, platform, topics
from hdictl.errors import EXIT_FAILED, EXIT_INTERRUPTED, DiskFull, HdictlError

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
    plan.plan,
    plan.apply,
    demo.demo,
):
    app.command()(command)
app.add_typer(topics.app, name="topics")
app.add_typer(local.app, name="local")


@app.callback()
def options(
    version: Annotated[bool, typer.Option("--version", help="Print the version.", is_eager=True)] = False,
) -> None:
    if version:
        typer.echo(f"hdictl {__version__}")
        raise typer.Exit


def main() -> None:
    """The one error boundary."""
    signal.signal(signal.SIGTERM, _interrupt)  # a polite end cleans up as Ctrl-C does
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    is_json = "--json" in arguments
    try:
        code = app(args=arguments, prog_name="hdictl", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        print("\ninterrupted", file=sys.stderr)  # noqa: T201 - nothing may be loaded any more at this point
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has gone; nobody is left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_FAILED
    except HdictlError as error:
        return _shown(error, is_json=is_json)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        full = DiskFull("no room is left on the disk", where=error.filename, fix="free some space, then run this again")
        return _shown(full, is_json=is_json)


def _shown(error: HdictlError, *, is_json: bool) -> int:
    from hdictl.show.errors import show_error

    show_error(error, as_json=is_json)
    return error.exit_code


def _interrupt(_signal: int, _frame: Any) -> None:
    raise KeyboardInterrupt
