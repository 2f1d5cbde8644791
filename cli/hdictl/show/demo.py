"""The demo's table: three counts that must agree."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from hdictl.plan.demo_report import DemoReport
from hdictl.show.terminal import out, print_json


def show_demo(report: DemoReport, *, as_json: bool) -> None:
    if as_json:
        rows = [{**vars(row), "what": row.what.strip(), "agrees": row.agrees} for row in report.rows]
        body = {"agrees": report.agrees, "counts": rows, "batches": report.batches, "seconds": round(report.seconds, 1)}
        print_json("demo", {**body, "records_per_second": report.records_per_second, "copies": report.copies})
        return
    table = Table(box=None, padding=(0, 3, 0, 0), header_style="dim")
    table.add_column("")
    for heading in ("producer", "Spark", "recounted"):
        table.add_column(heading, justify="right")
    table.add_column("")
    for row in report.rows:
        counts = ["–" if count is None else f"{count:,}" for count in (row.producer, row.spark, row.independent)]
        table.add_row(escape(row.what), *counts, "[green]✓[/green]" if row.agrees else "[bold red]✗[/bold red]")
    out.print(table)
    pages = ", ".join(f"{page.page} {page.views:,}" for page in report.pages[:3])
    out.print(f"\nmost viewed: {escape(pages)}")
    out.print(f"{report.batches} micro-batches, {report.records_per_second:,} records a second while busy")
    if report.agrees:
        out.print("[green]✓[/green] every count agrees; nothing is left running")
