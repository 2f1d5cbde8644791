"""What a rebalance has done, what its journal says, and whether the cluster agrees."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.markup import escape

from hdictl.rebalance.journal import Run
from hdictl.rebalance.placed import Standing
from hdictl.rebalance.report import Outcome, RebalanceStatus, Verdict
from hdictl.rebalance.snapshot import Snapshot, to_document
from hdictl.show.terminal import out, print_json, print_text, say
from hdictl.stack.units import count, rounded_duration, rounded_size

_SHOWN = 20


def show_snapshot(snapshot: Snapshot, warnings: Sequence[str], file: Path | None, *, as_json: bool) -> None:
    document = to_document(snapshot)
    if file is not None:
        file.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    for warning in warnings:
        say(warning)
    if as_json:
        print_json("rebalance snapshot", document)
    elif file is None:
        print_text(json.dumps(document, indent=1))
    else:
        total = sum(part.size * len(part.replicas) for part in snapshot.partitions)
        brokers, partitions = count(len(snapshot.brokers), "broker"), count(len(snapshot.partitions), "partition")
        print_text(f"{file}: {brokers}, {partitions}, {rounded_size(total)} with all replicas")


def show_nothing(cluster: str, command: str, *, as_json: bool) -> None:
    if as_json:
        print_json(f"rebalance {command}", {"cluster": cluster, "run": None, "moves": 0, "bytes": 0})
    else:
        out.print("[green]✓[/green] nothing to move")


def show_outcome(outcome: Outcome, command: str, *, as_json: bool) -> None:
    plan, done = outcome.plan, outcome.stands.done
    if as_json:
        body = {
            "cluster": plan.cluster,
            "run": _run(outcome.run),
            "steps": _counts(outcome.stands),
            "moves": sum(step.moves for step in done),
            "bytes": sum(step.bytes for step in done),
            "seconds": round(outcome.seconds, 3),
            "verified": True,
        }
        print_json(f"rebalance {command}", body)
        return
    moved = f"{len(done)} of {count(len(plan.steps), 'partition')}, {rounded_size(sum(step.bytes for step in done))}"
    what = "cancelled; moved before that" if outcome.run.is_cancelled else "moved and verified"
    out.print(f"[green]✓[/green] {what}: {moved}, in {rounded_duration(outcome.seconds)}")


def show_verdict(verdict: Verdict, *, as_json: bool) -> None:
    if as_json:
        body = {
            "cluster": verdict.cluster,
            "run": None if verdict.run is None else _run(verdict.run),
            "partitions": verdict.partitions,
            "verified": verdict.is_verified,
            "differences": list(verdict.differences),
        }
        print_json("rebalance verify", body)
        return
    for difference in verdict.differences:
        out.print(f"[red]✗[/red] {escape(difference)}")
    if verdict.is_verified:
        against = "no rebalance is known" if verdict.run is None else f"as rebalance {verdict.run.id} left it"
        out.print(
            f"[green]✓[/green] {count(verdict.partitions, 'partition')} in place and in sync, no throttle: {against}"
        )


def show_status(status: RebalanceStatus, *, as_json: bool) -> None:
    if as_json:
        print_json("rebalance status", _status_json(status))
        return
    run = status.journal.run
    if run is None:
        out.print(f"no rebalance of {escape(status.cluster)} is known")
    else:
        batch = f", batch {run.batch} of {run.batches}" if run.phase == "moving" else ""
        out.print(f"rebalance {run.id} ({run.command}): [bold]{run.phase}[/bold]{batch}, throttle {run.throttle}")
        counts = ", ".join(f"{number} {name}" for name, number in _counts(status.stands).items() if number)
        out.print(f"  partitions: {counts or 'none'}")
        out.print(f"  {escape(_owner_text(status))}")
    for (topic, partition), move in list(status.ongoing.items())[:_SHOWN]:
        whose = "  [yellow]by somebody else[/yellow]" if (topic, partition) in status.foreign else ""
        out.print(f"  {escape(topic)}/{partition}: to {_ids(move.adding)}, from {_ids(move.removing)}{whose}")
    if len(status.ongoing) > _SHOWN:
        out.print(f"  and {len(status.ongoing) - _SHOWN} more on the move")


def _owner_text(status: RebalanceStatus) -> str:
    lease = status.journal.lease
    if lease is not None and status.is_owned:
        return f"process {lease.owner.pid} on {lease.owner.host} is at work"
    if status.journal.unfinished is not None:
        return "nobody is at work; go on: hdictl rebalance resume; call it off: hdictl rebalance cancel"
    return "nobody is at work"


def _status_json(status: RebalanceStatus) -> dict[str, Any]:
    lease, run = status.journal.lease, status.journal.run
    return {
        "cluster": status.cluster,
        "run": None if run is None else _run(run),
        "steps": _counts(status.stands),
        "owner": {"host": lease.owner.host, "pid": lease.owner.pid} if lease is not None and status.is_owned else None,
        "ongoing": [
            {
                "topic": topic,
                "partition": partition,
                "adding": list(move.adding),
                "removing": list(move.removing),
                "is_foreign": (topic, partition) in status.foreign,
            }
            for (topic, partition), move in sorted(status.ongoing.items())
        ],
    }


def _run(run: Run) -> dict[str, Any]:
    document = asdict(run)
    del document["parts"]
    return document


def _counts(stands: Standing) -> dict[str, int]:
    return {
        "done": len(stands.done),
        "moving": len(stands.moving),
        "waiting": len(stands.waiting),
        "gone": len(stands.gone),
        "strange": len(stands.strange),
    }


def _ids(brokers: Sequence[int]) -> str:
    return ", ".join(map(str, brokers)) or "none"
