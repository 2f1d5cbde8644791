"""local kill-broker, local restart-broker: faults, to see what the stack and its jobs do."""

from __future__ import annotations

from typing import Annotated

import typer

from hdictl.commands.options import DEFAULT_STACK, Env, Json, StackFile, Target, TargetName
from hdictl.commands.platform import Cluster

app = typer.Typer(no_args_is_help=True, help="Faults on the clusters of this machine.")
Broker = Annotated[int, typer.Argument(help="Broker id, such as 1002.", metavar="BROKER")]


@app.command("kill-broker")
def kill_broker(
    cluster: Cluster,
    broker: Broker,
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    as_json: Json = False,
) -> None:
    """End a broker without warning, as a crash does.

    Example: hdictl local kill-broker ingest 1002
    """
    from hdictl.commands.session import open_named
    from hdictl.show.clusters import show_node

    platform = open_named(stack, env, target.value).target.platform()
    show_node("local kill-broker", cluster, platform.kill_broker(cluster, broker), as_json=as_json)


@app.command("restart-broker")
def restart_broker(
    cluster: Cluster,
    broker: Broker,
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    as_json: Json = False,
) -> None:
    """Start a broker again, with its data, on its old port; a running one is restarted.

    Example: hdictl local restart-broker ingest 1002
    """
    from hdictl.commands.session import open_named
    from hdictl.show.clusters import show_node
    from hdictl.show.progress import TerminalProgress

    platform = open_named(stack, env, target.value).target.platform()
    node = platform.restart_broker(cluster, broker, TerminalProgress())
    show_node("local restart-broker", cluster, node, as_json=as_json)
