"""Trials of pipelines, and new ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.markup import escape

from hdictl.ports.jobs import BatchProgress, JobEnd
from hdictl.show.terminal import out, print_json, print_json_line, print_text, say
from hdictl.streaming.change import FORBIDDEN, IN_PLACE, NEW, NEW_CHECKPOINT, PipelineChange, QueryChange
from hdictl.streaming.trial import FlowTrial, Trial

_MOST_ROWS = 10
_VERDICTS = {
    NEW: ("green", "new"),
    IN_PLACE: ("green", "in place"),
    NEW_CHECKPOINT: ("yellow", "needs a new checkpoint"),
    FORBIDDEN: ("bold red", "forbidden"),
}


def show_new(name: str, folder: Path, *, as_json: bool) -> None:
    if as_json:
        print_json("pipeline new", {"pipeline": name, "folder": str(folder)})
        return
    print_text(f"{folder} is made; try it: hdictl pipeline test {name}")


def show_trials(trials: Sequence[Trial], *, as_json: bool) -> None:
    if as_json:
        print_json("pipeline test", {"is_green": all(trial.is_green for trial in trials), "trials": _listed(trials)})
        return
    for trial in trials:
        mark = "[green]✓[/green]" if trial.is_green else "[bold red]✗[/bold red]"
        about = f"{trial.records} records in {trial.batches} batches, Spark {trial.spark}, {trial.seconds:.1f} s"
        out.print(f"{mark} {escape(trial.pipeline)}  [dim]{about}[/dim]")
        for flow in trial.flows:
            _show_flow(flow)


def _show_flow(flow: FlowTrial) -> None:
    said = f"{flow.rows} row{'' if flow.rows == 1 else 's'}"
    if not flow.is_checked:
        out.print(f"  [yellow]?[/yellow] {escape(flow.name)}: {said}, and nothing is expected of it")
        return
    out.print(f"  {'[green]✓[/green]' if flow.is_green else '[bold red]✗[/bold red]'} {escape(flow.name)}: {said}")
    for sign, rows in (("-", flow.missing), ("+", flow.surplus)):
        for row in rows[:_MOST_ROWS]:
            out.print(f"      {sign} {escape(row)}", style="red" if sign == "-" else "yellow")
        if len(rows) > _MOST_ROWS:
            out.print(f"      {sign} … and {len(rows) - _MOST_ROWS} more")
    for name, wanted, found in flow.counts:
        out.print(f"      {escape(name)}: {wanted} expected, {found} came")


def _listed(trials: Sequence[Trial]) -> list[dict[str, Any]]:
    return [
        {
            "pipeline": trial.pipeline,
            "is_green": trial.is_green,
            "spark": trial.spark,
            "records": trial.records,
            "batches": trial.batches,
            "seconds": round(trial.seconds, 2),
            "flows": [{**vars(flow), "is_green": flow.is_green} for flow in trial.flows],
        }
        for trial in trials
    ]


def show_changes(pipeline: str, changes: Mapping[str | None, PipelineChange], *, as_json: bool) -> None:
    if as_json:
        listed = [{"job": job, "verdict": change.verdict, **asdict(change)} for job, change in changes.items()]
        print_json("pipeline plan", {"pipeline": pipeline, "jobs": listed})
        return
    for job, change in changes.items():
        whose = f"job {job}" if job is not None else "no job of a stack runs it"
        out.print(f"{escape(pipeline)}  [dim]{escape(whose)}, Spark {change.spark}[/dim]")
        for query in change.queries:
            _show_query(query)
        for gone in change.gone:
            out.print(f"  [dim]{escape(gone)}: no such query any more; its checkpoint stays where it is[/dim]")


def _show_query(query: QueryChange) -> None:
    colour, verdict = _VERDICTS[query.verdict]
    out.print(f"  {escape(query.query)} → {escape(query.sink)}  [{colour}]{verdict}[/{colour}]")
    if query.role == "output":
        columns = ", ".join(f"{name} {kind}" for name, kind in query.columns.items())
        out.print(f"    [dim]{escape(columns)}[/dim]")
    for operator in query.operators:
        out.print(f"    [dim]state: {escape(operator)}[/dim]")
    for difference in query.differences:
        colour, verdict = _VERDICTS[difference.verdict]
        out.print(f"    [{colour}]{verdict}[/{colour}]: {escape(difference.what)}")
        out.print(f"      {escape(difference.why)}")
    for warning in query.warnings:
        out.print(f"    [yellow]! {escape(warning)}[/yellow]")


def teller(*, as_json: bool) -> Callable[[BatchProgress], None]:
    """What is said of each micro-batch while a pipeline runs."""

    def tell(batch: BatchProgress) -> None:
        if as_json:
            print_json_line({"event": "batch", **asdict(batch)})
        elif batch.batch >= 0 and (batch.input_rows or batch.output_rows):
            rate = f", {batch.input_rows * 1000 // max(batch.duration_ms, 1):,}/s" if batch.input_rows else ""
            amounts = ((batch.late, "late"), (batch.duplicates, "repeated"), (batch.dead, "dead"))
            others = "".join(f", {number:,} {word}" for number, word in amounts if number)
            say(f"{batch.query} {batch.batch}: {batch.input_rows:,} in{rate}, {batch.output_rows:,} out{others}")

    return tell


def show_end(end: JobEnd, *, as_json: bool) -> None:
    if as_json:
        print_json_line({"event": "end", "exit_code": end.exit_code, "is_settled": end.is_settled})
        return
    unfinished = "" if end.is_settled else "; a micro-batch is left unfinished, and run again when it resumes"
    print_text(f"ended{unfinished}")
