"""gateway: who may use Ambari and Livy of a living cluster."""

from __future__ import annotations

from typing import Annotated

import typer

from hdictl.commands.options import DEFAULT_STACK, Env, Json, StackFile, Yes


def gateway(
    cluster: Annotated[str, typer.Argument(help="Name of a cluster in the stack.", metavar="CLUSTER")],
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Set the gateway's password, or its Entra users, on a cluster on Azure, from where the stack says.

    Azure never returns a password, so that no plan can see that it was changed in the vault: this command sends it.

    Example: hdictl gateway ingest
    """
    from hdictl.commands.azure_session import open_on_azure
    from hdictl.commands.session import confirm
    from hdictl.show.progress import TerminalProgress
    from hdictl.show.terminal import print_json, print_text
    from hdictl.workflow.cloud.gateway import set_gateway

    session, target = open_on_azure(stack, env, cluster)
    with target.living(cluster):
        confirm(f"sessions at the gateway of `{cluster}` with the old credentials end", yes=yes)
    who = set_gateway(session.stack, target, cluster, target.gateway_settings(cluster), TerminalProgress())
    if as_json:
        print_json("gateway", {"cluster": cluster, "users": who})
    else:
        print_text(f"the gateway of {cluster} takes {', '.join(who)}")
