"""How a job begins anew somewhere else: its checkpoints are moved aside, and it is told where to begin."""

from __future__ import annotations

import json
import time

from hdictl.errors import JobRefused, UsageError
from hdictl.ports.job_driver import JobDriver
from hdictl.ports.job_storage import JobStorage
from hdictl.ports.offsets import OffsetReader
from hdictl.stack.suggest import did_you_mean
from hdictl.streaming import state
from hdictl.streaming.checkpoint import FOLDER, OLD, Checkpoint
from hdictl.streaming.outcomes import LostState, ResetPlan
from hdictl.streaming.pipeline import FILE_FORMATS
from hdictl.streaming.state import STARTING_OFFSETS
from hdictl.workflow.jobs.bound import BoundJob
from hdictl.workflow.jobs.checkpoints import read_checkpoints
from hdictl.workflow.jobs.restart_places import difference, queries_of, starting_offsets
from hdictl.workflow.jobs.status import status_of


def plan_reset(
    driver: JobDriver, bound: BoundJob, kafka: OffsetReader, *, to: str, queries: tuple[str, ...] = ()
) -> ResetPlan:
    """`to`: earliest, latest, committed, or a moment: 2h (ago), or milliseconds since the epoch."""
    _require_stopped(driver, bound.name)
    with driver.storage(bound.name) as storage:
        found = {each.query: each for each in read_checkpoints(storage)}
        for query in queries:
            if query not in found:
                raise UsageError(
                    f"there is no checkpoint of a query `{query}`{did_you_mean(query, found)}",
                    where=f"job `{bound.name}`",
                    fix=f"there are: {', '.join(found) or 'none'}",
                )
        chosen = [each for name, each in found.items() if not queries or name in queries]
        stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        # Checkpoints last: whoever is interrupted runs it again, and finds by them what has to be moved.
        moved = _file_sinks(bound, [each.query for each in chosen], storage, stamp)
        moved += [(f"{FOLDER}/{each.query}", f"{OLD}/{stamp}/{each.query}") for each in chosen]
        lost = tuple(_lost(each) for each in chosen if _has_state(each, storage))
    # All that has no checkpoint then begins there, also what had none before.
    begins = [name for name in queries_of(bound) if name not in found or not queries or name in queries]
    starts = starting_offsets(bound, kafka, to, begins)
    skipped, again = difference(chosen, bound, starts, kafka)
    return ResetPlan(
        job=bound.name,
        queries=tuple(each.query for each in chosen),
        moved=tuple(moved),
        starting_offsets=starts,
        skipped=skipped,
        again=again,
        lost=lost,
        damage=tuple(damage for each in chosen for damage in each.damage),
    )


def carry_out(driver: JobDriver, plan: ResetPlan) -> None:
    """First where to begin, then the moves: whoever is interrupted runs it again.

    Whoever was asked may have thought about it for long, and somebody have started the job meanwhile.
    """
    _require_stopped(driver, plan.job)
    with driver.storage(plan.job) as storage:
        storage.write(STARTING_OFFSETS, json.dumps(plan.starting_offsets).encode())
        for source, to in plan.moved:
            storage.move(source, to)


def _require_stopped(driver: JobDriver, name: str) -> None:
    status = status_of(driver, name, "")
    if status.state in (state.RUNNING, state.STARTING, state.STOPPING):
        raise JobRefused(
            f"it is {status.state}, and works on its checkpoint",
            where=f"job `{name}`",
            fix=f"stop it first: hdictl jobs stop {name}",
        )


def _has_state(checkpoint: Checkpoint, storage: JobStorage) -> bool:
    """By its note; where that says nothing, by what Spark has written."""
    if "operators" in checkpoint.belongs_to:
        return bool(checkpoint.operators)
    return bool(storage.list(f"{FOLDER}/{checkpoint.query}/state"))


def _lost(checkpoint: Checkpoint) -> LostState:
    return LostState(checkpoint.query, checkpoint.operators, checkpoint.watermark_ms)


def _file_sinks(bound: BoundJob, queries: list[str], storage: JobStorage, stamp: str) -> list[tuple[str, str]]:
    """Data that was written by the old checkpoint's batch numbers: a new checkpoint would skip what it finds done."""
    found = []
    flows, sinks = bound.pipeline.document.flows, bound.pipeline.document.sinks
    for query in queries:
        if query not in flows or sinks[flows[query].sink].format not in FILE_FORMATS:
            continue
        sink = flows[query].sink
        if sink in bound.spec.writes and sinks[sink].format == "parquet":
            raise JobRefused(
                f"`{sink}` writes Parquet to {bound.spec.writes[sink]}, whose _spark_metadata would skip new batches",
                where=f"job `{bound.name}`",
                fix="name another folder for it in the stack, then reset",
            )
        if storage.list(f"tables/{sink}") and sinks[sink].format == "parquet":
            found.append((f"tables/{sink}", f"tables/_old/{stamp}/{sink}"))
    return found
