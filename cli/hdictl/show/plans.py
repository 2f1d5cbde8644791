"""A plan as text, as Markdown for a pull request, and what apply did."""

from __future__ import annotations

from typing import Any

from rich.markup import escape

from hdictl.plan.change import Action, Change, FieldChange, Plan
from hdictl.show.infrastructure import infrastructure_headline
from hdictl.show.settings import setting_text
from hdictl.show.terminal import out

_SIGN = {Action.CREATE: "+", Action.UPDATE: "~", Action.REPLACE: "!", Action.DELETE: "-"}
_COLOUR = {Action.CREATE: "green", Action.UPDATE: "yellow", Action.REPLACE: "red", Action.DELETE: "red"}
_DETAILED = 40  # more changes than this are shown one line each


def print_plan(plan: Plan) -> None:
    is_brief = len(plan.changes) > _DETAILED
    for change in plan.changes:
        _print_change(change, is_brief=is_brief)
    for refusal in plan.refusals:
        out.print(f"[bold red]✗[/bold red] {escape(refusal.address)}: {escape(refusal.what)}")
        out.print(f"    → {escape(refusal.fix)}")
    for note in plan.notes:
        out.print(f"[dim]note: {escape(note)}[/dim]")
    out.print(summary(plan))


def _print_change(change: Change, *, is_brief: bool) -> None:
    colour, sign = _COLOUR[change.action], _SIGN[change.action]
    later = " [dim](planned only)[/dim]" if change.is_deferred else ""
    out.print(f"[{colour}]{sign} {escape(change.address)}[/{colour}]  {escape(_headline(change))}{later}")
    if is_brief:
        return
    for field in change.fields:
        if change.action is not Action.CREATE:
            out.print(f"    {escape(field.field)}: {escape(_arrow(field))}  [dim]{escape(field.reason)}[/dim]")
        elif field.field.startswith("config."):
            out.print(f"    {escape(field.field)}: {escape(_spelled(field, field.after))}")
    for line in _replica_lines(change):
        out.print(f"    [dim]{line}[/dim]")
    for note in change.notes:
        out.print(f"    [yellow]! {escape(note)}[/yellow]")


def _headline(change: Change) -> str:
    if change.kind != "topic":
        return infrastructure_headline(change)
    if change.action is Action.CREATE and change.after:
        return f"{change.after['partitions']} partitions × {change.after['replication']} replicas"
    if change.action is Action.DELETE and change.before:
        return f"{change.before['partitions']} partitions and all their records"
    return ", ".join(field.field for field in change.fields)


def _replica_lines(change: Change) -> list[str]:
    after = change.after or {}
    first = len((change.before or {}).get("assignment", [])) if "added" in after else 0
    lists = after.get("added") or after.get("assignment") or []
    shown = [f"p{first + number} on {', '.join(map(str, replicas))}" for number, replicas in enumerate(lists)]
    return ["   ".join(shown[start : start + 3]) for start in range(0, min(len(shown), 12), 3)] + (
        [f"… and {len(shown) - 12} more"] if len(shown) > 12 else []
    )


def _arrow(field: FieldChange) -> str:
    return f"{_spelled(field, field.before)} → {_spelled(field, field.after)}"


def _spelled(field: FieldChange, value: Any) -> str:
    """Settings as people write them: 3d, not 259200000."""
    if value is None:
        return "(broker default)" if field.field.startswith("config.") else "–"
    if field.field.startswith("config."):
        return setting_text(field.field.removeprefix("config."), value)
    return ", ".join(f"{key}={item}" for key, item in value.items()) if isinstance(value, dict) else str(value)


def summary(plan: Plan) -> str:
    if plan.is_empty:
        return "[green]✓[/green] nothing to change"
    counted = [f"{plan.count(action)} to {action.value}" for action in Action if plan.count(action)]
    refused = [f"{len(plan.refusals)} refused"] if plan.refusals else []
    return f"plan: {', '.join(counted + refused)}"


def to_markdown(plan: Plan) -> str:
    """For a comment on a pull request."""
    lines = [f"### hdictl plan: `{plan.stack}` on {plan.target}", ""]
    if plan.is_empty:
        return "\n".join([*lines, "Nothing to change.", ""])
    lines += ["| | what | change |", "|---|---|---|"]
    for change in plan.changes:
        fields = "<br>".join(f"`{field.field}`: {_arrow(field)}" for field in change.fields)
        detail = _headline(change) if change.action in (Action.CREATE, Action.DELETE) else fields
        notes = "".join(f"<br>⚠ {note}" for note in change.notes)
        lines.append(f"| {change.action.value} | `{change.address}` | {detail}{notes} |")
    for refusal in plan.refusals:
        lines.append(f"| **refused** | `{refusal.address}` | {refusal.what}<br>→ {refusal.fix} |")
    lines += ["", *[f"> {note}" for note in plan.notes]]
    return "\n".join(lines) + "\n"


def plan_json(plan: Plan) -> dict[str, Any]:
    return {"plan": plan.model_dump(mode="json")}
