"""How jobs stand."""

from __future__ import annotations

import json
from dataclasses import replace

from hdictl.ports import job_driver
from hdictl.ports.job_driver import JobDriver, LivingJob
from hdictl.ports.job_storage import JobStorage
from hdictl.streaming import state
from hdictl.streaming.state import BOARD, BOARD_DRAFT, STOP, SUBMITTED, Board, JobStatus, read_board


def status_of(driver: JobDriver, name: str, pipeline: str, fingerprint: str | None = None) -> JobStatus:
    """`fingerprint`: of the job as the stack has it now, to be compared with what was submitted."""
    living = driver.find(name)
    with driver.storage(name) as storage:
        content = board_content(storage)
        submitted = submitted_fingerprint(storage)
        is_asked = storage.read(STOP) is not None
    board = read_board(content)
    current = _of_this_run(board, submitted)
    damage = (f"{BOARD} cannot be read",) if content is not None and board is None else ()
    return JobStatus(
        name=name,
        pipeline=pipeline,
        state=_state(is_living=is_living(living), is_asked=is_asked, board=current, has_run=submitted is not None),
        id=living.id if living is not None else None,
        started=living.started if living is not None else None,
        fingerprint=submitted,
        is_current=None if fingerprint is None or submitted is None else fingerprint == submitted,
        board=current,
        notes=current.warnings if current is not None else damage,
    )


def stray_status(driver: JobDriver, name: str) -> JobStatus | None:
    """Of a job that is not in the stack any more; None when it does not run either."""
    if not is_living(driver.find(name)):
        return None
    with driver.storage(name) as storage:
        pipeline = _submitted(storage, "pipeline")
    return replace(status_of(driver, name, pipeline or "unknown"), is_in_stack=False)


def is_living(living: LivingJob | None) -> bool:
    return living is not None and living.state in (job_driver.STARTING, job_driver.RUNNING)


def board_content(storage: JobStorage) -> bytes | None:
    """While the job writes a new one there is only the draft, and a moment later only the new one."""
    for place in (BOARD, BOARD_DRAFT, BOARD):
        content = storage.read(place)
        if content is not None:
            return content
    return None


def submitted_fingerprint(storage: JobStorage) -> str | None:
    return _submitted(storage, "fingerprint")


def _submitted(storage: JobStorage, what: str) -> str | None:
    content = storage.read(SUBMITTED)
    try:
        return str(json.loads(content)[what]) if content is not None else None
    except (ValueError, KeyError, TypeError):
        return None


def _of_this_run(board: Board | None, submitted: str | None) -> Board | None:
    """A job that was submitted anew has not said anything yet: what is there is of the one before."""
    return board if board is not None and (submitted is None or board.fingerprint == submitted) else None


def _state(*, is_living: bool, is_asked: bool, board: Board | None, has_run: bool) -> str:
    said = board.state if board is not None else None
    if is_living:
        # It says how it ended before it is gone: Spark takes its time to close.
        if is_asked or said in (state.STOPPED, state.FAILED):
            return state.STOPPING
        return state.RUNNING if said == "running" else state.STARTING
    if said in (state.STOPPED, state.FAILED):
        return str(said)
    # It ran and did not say goodbye: killed, or its cluster is gone.
    return state.LOST if has_run else state.ABSENT
