"""Script actions: what was run, and what it wrote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from rich.markup import escape

from hdictl.ports.cloud import ScriptAction, ScriptRun
from hdictl.show.tables import print_table, table
from hdictl.show.terminal import out, print_json, print_text


def show_runs(cluster: str, runs: Sequence[ScriptRun], *, as_json: bool) -> None:
    if as_json:
        print_json("script history", {"cluster": cluster, "runs": [asdict(run) for run in runs]})
        return
    if not runs:
        out.print("no script was run on this cluster")
        return
    rows = table("id", "script", "status", "started", "ended")
    for run in runs:
        colour = {"succeeded": "green", "failed": "bold red"}.get(run.status.lower(), "yellow")
        status = f"[{colour}]{escape(run.status)}[/{colour}]"
        rows.add_row(str(run.id), escape(run.name), status, run.started, run.ended)
    print_table(rows)


def show_output(cluster: str, run: ScriptRun, output: str, *, as_json: bool) -> None:
    if as_json:
        print_json("script output", {"cluster": cluster, "run": asdict(run), "output": output})
    else:
        print_text(output or f"{run.name} wrote nothing that the service kept")


def show_run(cluster: str, script: ScriptAction, *, persisted: bool, as_json: bool) -> None:
    if as_json:
        print_json("script run", {"cluster": cluster, "script": asdict(script), "persisted": persisted})
        return
    later = "; nodes that join later run it too" if persisted else ""
    out.print(f"[green]✓[/green] {escape(script.name)} ran on {', '.join(script.roles)} of {escape(cluster)}{later}")
