"""script: run a script action on the nodes of a cluster on azure, and read what became of it."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer

from hdictl.commands.options import DEFAULT_STACK, Env, Json, StackFile, Yes

app = typer.Typer(no_args_is_help=True, help="Script actions: bash scripts on the nodes of a cluster on azure.")

ClusterName = Annotated[str, typer.Argument(help="Cluster, as the stack calls it.", metavar="CLUSTER")]


class Role(str, Enum):
    head = "head"
    worker = "worker"
    zookeeper = "zookeeper"


@app.command("run")
def run(
    cluster: ClusterName,
    name: Annotated[str, typer.Argument(help="Name of this run; unique among persisted scripts.", metavar="NAME")],
    uri: Annotated[str, typer.Option("--uri", help="Address of the script, reachable from the nodes.")],
    on: Annotated[list[Role] | None, typer.Option("--on", help="Nodes it runs on; default: head and worker.")] = None,
    parameters: Annotated[
        str, typer.Option("--parameters", help="Its arguments. No secrets: everybody can read them.")
    ] = "",
    persist: Annotated[bool, typer.Option("--persist", help="Nodes that join later run it too.")] = False,
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Run a script as root on all chosen nodes at once, and wait for it. It cannot be undone.

    Example: hdictl script run ingest tune --uri https://example.com/tune.sh --on worker
    """
    from hdictl.commands.azure_session import open_on_azure
    from hdictl.commands.session import confirm
    from hdictl.ports.cloud import ScriptAction
    from hdictl.show.progress import TerminalProgress
    from hdictl.show.scripts import show_run
    from hdictl.workflow.ambari_scripts import NamedCluster, require_address, run_script

    require_address(uri)
    _, target = open_on_azure(stack, env, cluster)
    roles = tuple(f"{role.value}node" for role in on or (Role.head, Role.worker))
    script = ScriptAction(name, uri, parameters, roles)
    with target.living(cluster) as (cloud, living):
        confirm(f"`{uri}` will run as root on every {', '.join(roles)} of `{cluster}`", yes=yes)
        run_script(cloud, NamedCluster(cluster, living.name), script, TerminalProgress(), persist=persist)
    show_run(cluster, script, persisted=persist, as_json=as_json)


@app.command("history")
def history(cluster: ClusterName, stack: StackFile = DEFAULT_STACK, env: Env = None, as_json: Json = False) -> None:
    """List the scripts that were run, the newest first.

    Example: hdictl script history ingest
    """
    from hdictl.commands.azure_session import open_on_azure
    from hdictl.show.scripts import show_runs

    _, target = open_on_azure(stack, env, cluster)
    with target.living(cluster) as (cloud, living):
        show_runs(cluster, cloud.script_runs(living.name), as_json=as_json)


@app.command("output")
def output(
    cluster: ClusterName,
    run_id: Annotated[
        int | None, typer.Argument(help="Id from `history`; default: the newest.", metavar="[ID]")
    ] = None,
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    as_json: Json = False,
) -> None:
    """Print what a script wrote on the nodes.

    Example: hdictl script output ingest
    """
    from hdictl.commands.azure_session import open_on_azure
    from hdictl.show.scripts import show_output
    from hdictl.workflow.ambari_scripts import chosen_run

    _, target = open_on_azure(stack, env, cluster)
    with target.living(cluster) as (cloud, living):
        chosen = chosen_run(cloud.script_runs(living.name), run_id, cluster)
        show_output(cluster, chosen, cloud.script_output(living.name, chosen.id), as_json=as_json)
