"""A key or a rule, explained."""

from __future__ import annotations

from dataclasses import asdict

from rich.markup import escape

from hdictl.show.terminal import out
from hdictl.stack.explain import Explanation


def print_explanation(explanation: Explanation) -> None:
    fields = {name: value for name, value in asdict(explanation).items() if value not in (None, "", (), [], {})}
    title = next(iter(fields.values()))
    out.print(f"[bold]{escape(str(title))}[/bold]")
    for name, value in list(fields.items())[1:]:
        text = ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
        out.print(f"  [dim]{name.replace('_', ' ')}:[/dim] {escape(text)}")
