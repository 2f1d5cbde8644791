"""What apply did."""

from __future__ import annotations

from rich.markup import escape

from hdictl.plan.applied import Converged
from hdictl.show.terminal import out, print_json


def show_applied(converged: Converged, *, as_json: bool) -> None:
    applied = converged.applied
    if as_json:
        steps = list(converged.next_steps)
        body = {"changed": applied.done, "deferred": applied.deferred, "next": steps, "verified": True}
        print_json("apply", {**body, "plan": converged.plan.model_dump(mode="json")})
        return
    if applied.total:
        changes = "change" if applied.done == 1 else "changes"
        out.print(f"[green]✓[/green] {applied.done} {changes} made and verified")
    if applied.deferred:
        out.print(f"{applied.deferred} planned, not made: they move data between brokers; carry them out with")
        for step in converged.next_steps:
            out.print(f"  {escape(step)}")
