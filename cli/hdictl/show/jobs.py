"""Jobs: how they stand, and what was done to them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.markup import escape

from hdictl.show.errors import error_json, show_error
from hdictl.show.tables import print_table, table
from hdictl.show.terminal import out, print_json, say
from hdictl.streaming.outcomes import UNCHANGED, FailedJob, Stopped, Submitted
from hdictl.streaming.state import FAILED, LOST, RUNNING, JobStatus

_COLOURS = {RUNNING: "green", FAILED: "bold red", LOST: "bold red"}


def show_jobs(command: str, jobs: Sequence[JobStatus], *, as_json: bool) -> None:
    if as_json:
        print_json(command, {"jobs": [_listed(job) for job in jobs]})
        return
    rows = table("job", "pipeline", "state", "id", "up", "last batch", "rows/s", right=("up", "rows/s"))
    for job in jobs:
        query = job.board.queries[0] if job.board and job.board.queries else None
        batch = "–" if query is None or query.batch is None else str(query.batch)
        rate = "–" if query is None or not query.duration_ms else f"{query.input_rows * 1000 // query.duration_ms:,}"
        state = _state(job.state) if job.is_in_stack else f"{_state(job.state)}, not in the stack"
        rows.add_row(escape(job.name), escape(job.pipeline), state, job.id or "–", _up(job), batch, rate)
    print_table(rows)
    for job in jobs:
        if not job.is_in_stack:
            say(f"{job.name} goes on although it is not in the stack; to end it: hdictl jobs stop {job.name}")


def show_status(jobs: Sequence[JobStatus], *, as_json: bool) -> None:
    if as_json:
        print_json("jobs status", {"is_well": all(job.is_well for job in jobs), "jobs": [_listed(job) for job in jobs]})
        return
    for job in jobs:
        about = ", ".join(part for part in (f"pipeline {job.pipeline}", job.id and f"id {job.id}", _age(job)) if part)
        out.print(f"{escape(job.name)}  {_state(job.state)}  [dim]{escape(about)}[/dim]")
        if job.board is not None and job.board.error:
            out.print(f"  [bold red]{escape(job.board.error)}[/bold red]")
            if job.board.fix:
                out.print(f"  → {escape(job.board.fix)}")
        if job.state == LOST:
            out.print(f"  it ended without a word; its log may say why: hdictl jobs logs {escape(job.name)}")
        _show_queries(job)
        for note in dict.fromkeys(job.notes[-3:]):
            out.print(f"  [yellow]! {escape(note)}[/yellow]")


def _show_queries(job: JobStatus) -> None:
    if job.board is None or not job.board.queries:
        return
    numbers = ("batch", "in", "out", "late", "dead", "state", "ms")
    rows = table("  query", *numbers, "watermark", right=numbers)
    for query in job.board.queries:
        figures = (
            query.input_rows,
            query.output_rows,
            query.late_rows,
            query.dead,
            query.state_rows,
            query.duration_ms,
        )
        batch = "–" if query.batch is None else str(query.batch)
        rows.add_row(f"  {escape(query.name)}", batch, *(f"{each:,}" for each in figures), query.watermark or "–")
    print_table(rows)


def show_submitted(command: str, done: Sequence[Submitted], failed: Sequence[FailedJob] = (), *, as_json: bool) -> None:
    if as_json:
        listed = [
            {
                "job": each.name,
                "action": each.action,
                "was_killed": each.was_killed,
                **_listed(each.status),
            }
            for each in done
        ]
        print_json(command, {"jobs": listed, "failed": failed_json(failed)})
        return
    for each in done:
        out.print(_submitted(each) + (f" [dim]({each.status.id})[/dim]" if each.status.id else ""))
        if each.was_killed:
            out.print("  the run before did not stop in time and was ended by force; its last batch is run again")
    show_failed(failed)


def _submitted(done: Submitted) -> str:
    name = escape(done.name)
    if done.action == UNCHANGED and done.status.state == RUNNING:
        return f"[green]✓[/green] {name} runs as it is"
    return f"[green]✓[/green] {name} {done.action}: {done.status.state}"


def show_stopped(done: Sequence[Stopped], failed: Sequence[FailedJob] = (), *, as_json: bool) -> None:
    if as_json:
        print_json("jobs stop", {"jobs": [asdict(each) for each in done], "failed": failed_json(failed)})
        return
    for each in done:
        how = "ended by force; its last batch is run again when it resumes" if each.was_killed else "stopped"
        said = f"{how} after {each.seconds:.1f} s" if each.was_running else "was not running"
        out.print(f"{escape(each.name)} {said}")
    show_failed(failed)


def show_failed(failed: Sequence[FailedJob]) -> None:
    for each in failed:
        show_error(each.error, as_json=False)


def failed_json(failed: Sequence[FailedJob]) -> list[dict[str, Any]]:
    return [{"job": each.name, **error_json(each.error)} for each in failed]


def _listed(job: JobStatus) -> dict[str, Any]:
    board = job.board
    return {
        "name": job.name,
        "pipeline": job.pipeline,
        "state": job.state,
        "id": job.id,
        "started": job.started,
        "fingerprint": job.fingerprint,
        "is_in_stack": job.is_in_stack,
        "error": board.error if board else None,
        "fix": board.fix if board else None,
        "queries": [asdict(query) for query in board.queries] if board else [],
        "warnings": list(job.notes),
    }


def _state(state: str) -> str:
    colour = _COLOURS.get(state, "yellow")
    return f"[{colour}]{state}[/{colour}]"


def _up(job: JobStatus) -> str:
    if job.started is None or not job.is_well or job.state not in (RUNNING, "starting", "stopping"):
        return "–"
    return f"{time.time() - job.started:,.0f}s"


def _age(job: JobStatus) -> str:
    return f"said {max(0.0, time.time() - job.board.at / 1000):,.0f} s ago" if job.board else ""
