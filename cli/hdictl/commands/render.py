"""render: the stack as ARM templates, for `az deployment` or a review."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hdictl.commands.options import DEFAULT_STACK, Env, Json, StackFile


def render(
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    out: Annotated[Path, typer.Option("--out", help="Folder for the files.", metavar="DIR")] = Path("rendered"),
    as_json: Json = False,
) -> None:
    """Write the stack as ARM templates and parameter files. Offline; secrets are referred to, never written.

    Example: hdictl render --env prod --out rendered/prod
    """
    from hdictl.arm.files import az_commands, file_texts
    from hdictl.arm.render import render as rendered_stack
    from hdictl.arm.sound import refuse_unsound
    from hdictl.commands.session import open_stack
    from hdictl.drivers.file_set import write_files
    from hdictl.drivers.ssh_key import public_key
    from hdictl.show.rendered import show_rendered

    opened = open_stack(stack, env, "azure").stack
    rendered = rendered_stack(opened, public_key=public_key(opened, stack.resolve().parent))
    refuse_unsound(rendered, opened)
    files = write_files(out, file_texts(rendered))
    show_rendered(rendered, files, az_commands(rendered, out, opened), as_json=as_json)
