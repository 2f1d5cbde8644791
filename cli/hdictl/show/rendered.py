"""Templates that were written, and how one deploys them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.markup import escape

from hdictl.arm.deployment import Rendered
from hdictl.show.terminal import out, print_json


def show_rendered(rendered: Rendered, files: Sequence[Path], commands: Sequence[str], *, as_json: bool) -> None:
    if as_json:
        body = {
            "files": [str(file) for file in files],
            "resources": len(rendered.group.resources),
            "commands": list(commands),
            "secrets": sorted(rendered.group.secrets),
            "notes": list(rendered.notes),
        }
        print_json("render", body)
        return
    for file in files:
        out.print(f"[green]✓[/green] {escape(str(file))}")
    for note in rendered.notes:
        out.print(f"[dim]note: {escape(note)}[/dim]")
    out.print(f"{len(rendered.group.resources)} resources; deploy them with `hdictl apply --target azure`, or:")
    for command in commands:
        out.print(f"  {escape(command)}")
