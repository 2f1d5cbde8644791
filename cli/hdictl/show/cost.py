"""What a stack takes, as a table."""

from __future__ import annotations

from dataclasses import asdict

from rich.markup import escape

from hdictl.plan.cost import Cost, CostLine
from hdictl.show.tables import print_table, table
from hdictl.show.terminal import out, print_json


def show_cost(cost: Cost, *, as_json: bool) -> None:
    if as_json:
        sums = {"cores": cost.cores, "disks": cost.disks, "monthly": cost.monthly, "currency": cost.currency}
        print_json("cost", {"lines": [asdict(line) for line in cost.lines], **sums, "missing": list(cost.missing)})
        return
    figures = ("nodes", "cores", "disks (1 TB)", *([f"{cost.currency} a month"] if cost.currency else []))
    rows = table("", "what", "size", *figures, right=figures)
    for line in cost.lines:
        rows.add_row(*_row(line, is_priced=cost.currency is not None))
    print_table(rows)
    total = f"{cost.cores} cores, {cost.disks} disks of 1 TB"
    if cost.monthly is not None:
        total += f", {cost.monthly:,.2f} {cost.currency} a month"
    out.print(total + (" without what has no price here" if cost.missing else ""))
    if cost.missing:
        out.print(f"[yellow]no price for {escape(', '.join(cost.missing))}[/yellow]")


def _row(line: CostLine, *, is_priced: bool) -> tuple[str, ...]:
    figures = (str(line.count), str(line.cores or "–"), str(line.disks or "–"))
    price = "–" if line.monthly is None else f"{line.monthly:,.2f}"
    return (line.cluster, line.what, line.size, *figures, *([price] if is_priced else []))
