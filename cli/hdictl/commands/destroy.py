"""destroy: everything of a stack on Azure, and nothing else."""

from __future__ import annotations

import typer

from hdictl.commands.options import DEFAULT_STACK, Env, Json, StackFile, Yes


def destroy(stack: StackFile = DEFAULT_STACK, env: Env = None, yes: Yes = False, as_json: Json = False) -> None:
    """Delete from Azure everything that carries the stack's tag. Asks first, and says what is lost.

    The resource group itself stays, as others may use it.

    Example: hdictl destroy --env test
    """
    from hdictl.commands.session import confirm, infrastructure_of, open_placed
    from hdictl.show.cloud import print_doomed, show_destroyed
    from hdictl.show.progress import TerminalProgress
    from hdictl.workflow.cloud.destroy import destroy as destroyed
    from hdictl.workflow.cloud.destroy import doomed

    session = open_placed(stack, env)
    infrastructure = infrastructure_of(session)
    with session.target.lock(f"stack `{session.stack.stack}` on azure"):
        with infrastructure.cloud() as cloud:
            found = doomed(cloud)
        if not found:
            show_destroyed(0, as_json=as_json)
            raise typer.Exit
        print_doomed(found)
        losses = "".join(f"\n  {each.resource.name}: {each.loss}" for each in found if each.loss)
        confirm(f"{len(found)} resources are deleted for good:{losses}", yes=yes)
        gone = destroyed(session.stack, infrastructure, TerminalProgress())
    show_destroyed(gone, as_json=as_json)
