"""The options that every command shares, spelled once."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer


class TargetName(str, Enum):
    local = "local"
    docker = "docker"
    azure = "azure"


StackFile = Annotated[
    Path, typer.Option("--stack", envvar="HDICTL_STACK", help="The stack file.", metavar="FILE", show_default=True)
]
Env = Annotated[
    str | None,
    typer.Option("--env", envvar="HDICTL_ENV", help="Lay stack.<ENV>.yaml over the stack file.", metavar="ENV"),
]
Target = Annotated[TargetName, typer.Option("--target", envvar="HDICTL_TARGET", help="Where the stack runs.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines instead of text.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]

DEFAULT_STACK = Path("stack.yaml")
