"""The demo's table: three counts that must agree."""

from __future__ import annotations

from rich.markup import escape

from hdictl.plan.demo_report import DemoReport
from hdictl.show.tables import print_table, table
from hdictl.show.terminal import out, print_json


def show_demo(report: DemoReport, *, as_json: bool) -> None:
    if as_json:
        listed = [{**vars(row), "what": row.what.strip(), "agrees": row.agrees} for row in report.rows]
        body = {
            "agrees": report.agrees,
            "counts": listed,
            "batches": report.batches,
            "seconds": round(report.seconds, 1),
        }
        print_json("demo", {**body, "records_per_second": report.records_per_second, "copies": report.copies})
        return
    counted = ("producer", "Spark", "recounted")
    rows = table("", *counted, "", right=counted)
    for row in report.rows:
        counts = ["–" if count is None else f"{count:,}" for count in (row.producer, row.spark, row.independent)]
        rows.add_row(escape(row.what), *counts, "[green]✓[/green]" if row.agrees else "[bold red]✗[/bold red]")
    print_table(rows)
    pages = ", ".join(f"{page.page} {page.views:,}" for page in report.pages[:3])
    out.print(f"\nmost viewed: {escape(pages)}")
    out.print(f"{report.batches} micro-batches, {report.records_per_second:,} records a second while busy")
    if report.agrees:
        out.print("[green]✓[/green] every count agrees; nothing is left running")
