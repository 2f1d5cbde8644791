"""Submit a job: what runs and has not changed is left alone; what has changed goes on from its checkpoint."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from hdictl.errors import HdictlError, Interrupted, JobExists, JobRefused, Locked, SparkFailed, StillStarting
from hdictl.ports.job_driver import JobDriver, JobPackage, StagedJob
from hdictl.ports.job_storage import JobStorage
from hdictl.ports.progress import Progress
from hdictl.streaming import state
from hdictl.streaming.outcomes import RESTARTED, STARTED, UNCHANGED, Submitted
from hdictl.streaming.state import BOARD, BOARD_DRAFT, STOP, SUBMITTED, Board, JobStatus
from hdictl.workflow.jobs.bound import BoundJob
from hdictl.workflow.jobs.clock import REAL, Clock
from hdictl.workflow.jobs.package import to_package
from hdictl.workflow.jobs.status import is_living, status_of
from hdictl.workflow.jobs.stop import stop_job
from hdictl.workflow.jobs.succession import Compare, require_succession

_POLL_SECONDS = 0.5
_LOG_LINES = 200
_DOWN = "the run before was asked to stop and no other was seen to start, so that the job is down or will be"
_NOT_STARTED = "it was not seen to start"
_GOES_ON = "it was started and goes on without us"


@dataclass(frozen=True)
class Patience:
    """Seconds: for the run before to stop, and for the new one to be at work."""

    stop: float = 120.0
    start: float = 180.0
    clock: Clock = REAL


def submit_job(  # noqa: PLR0913 - two say how, and have their defaults
    driver: JobDriver,
    bound: BoundJob,
    progress: Progress,
    *,
    compare: Compare,
    is_forced: bool = False,
    patience: Patience = Patience(),  # noqa: B008 (frozen)
) -> Submitted:
    """With `is_forced`, one that has not changed is restarted as well.

    What can go wrong goes wrong before the run at work is stopped: it is compared with its checkpoints, and staged.
    """
    package = to_package(driver, bound)
    before = status_of(driver, bound.name, bound.job.pipeline, package.fingerprint)
    was_living = before.state in (state.RUNNING, state.STARTING, state.STOPPING)
    if was_living and before.is_current and before.state != state.STOPPING and not is_forced:
        is_at_work = before.state == state.RUNNING
        status = before if is_at_work else _at_work(driver, bound, package.fingerprint, patience, progress)
        return Submitted(bound.name, UNCHANGED, status)
    if was_living and before.fingerprint is None and before.board is None:
        raise _foreign(bound.name, before)
    if was_living and not before.is_current:
        require_succession(driver, bound, progress, compare)
    staged = driver.stage(package, progress)
    with _told_when_interrupted(bound.name, _DOWN if was_living else _NOT_STARTED, "hdictl jobs submit"):
        stopped = stop_job(driver, bound.name, progress, timeout=patience.stop, clock=patience.clock)
        with driver.storage(bound.name) as storage:
            _start(driver, package, staged, storage, progress)
    status = _at_work(driver, bound, package.fingerprint, patience, progress)
    return Submitted(bound.name, RESTARTED if was_living else STARTED, status, was_killed=stopped.was_killed)


def _at_work(driver: JobDriver, bound: BoundJob, fingerprint: str, patience: Patience, progress: Progress) -> JobStatus:
    progress.step(f"{bound.name}: waiting until it is at work")
    with _told_when_interrupted(bound.name, _GOES_ON, "hdictl jobs status"):
        return await_running(driver, bound, fingerprint, patience)


@contextmanager
def _told_when_interrupted(name: str, what: str, command: str) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted(f"interrupted; {what}", where=f"job `{name}`", fix=f"{command} {name}") from None


def _start(driver: JobDriver, package: JobPackage, staged: StagedJob, storage: JobStorage, progress: Progress) -> None:
    """What is submitted is noted first: when the answer is lost, the next submission knows its own job again."""
    before, note = storage.read(SUBMITTED), json.dumps(_note(package)).encode()
    for place in (STOP, BOARD, BOARD_DRAFT):
        storage.delete(place)
    storage.write(SUBMITTED, note)
    try:
        staged.start(progress)
    except HdictlError as error:
        was_other = isinstance(error, JobExists | Locked)  # somebody else was quicker, and what runs is theirs
        if (was_other or not _may_run(driver, package.name)) and storage.read(SUBMITTED) == note:
            _put_back(storage, before)
        raise
    if storage.read(SUBMITTED) != note:  # somebody else tried at the same time, and was refused
        storage.write(SUBMITTED, note)


def _may_run(driver: JobDriver, name: str) -> bool:
    try:
        return is_living(driver.find(name))
    except HdictlError:
        return True  # nobody can tell


def _put_back(storage: JobStorage, note: bytes | None) -> None:
    """Whatever runs under this name is not what was to be submitted."""
    if note is None:
        storage.delete(SUBMITTED)
    else:
        storage.write(SUBMITTED, note)


def await_running(driver: JobDriver, bound: BoundJob, fingerprint: str, patience: Patience) -> JobStatus:
    """Until the job says that it runs; what it says when it does not is told.

    One that says nothing for too long is no success: whoever waits must not go on as if it ran. Nor is it ended, for it
    may be about to start.
    """
    clock = patience.clock
    deadline = clock.now() + patience.start
    while True:
        status = status_of(driver, bound.name, bound.job.pipeline, fingerprint)
        if status.state in (state.RUNNING, state.STOPPED):
            return status
        if status.state == state.FAILED and status.board is not None:
            raise _refused(bound.name, status.board)
        if status.state not in (state.STARTING, state.STOPPING):
            raise SparkFailed(
                f"it ended before it was at work{_last_words(driver, bound.name)}",
                where=f"job `{bound.name}`",
                fix=_see(bound.name),
            )
        if clock.now() > deadline and status.board is not None and status.board.state == state.FAILED:
            raise _refused(bound.name, status.board)  # whatever keeps it from ending
        if clock.now() > deadline:
            raise StillStarting(
                f"{status.id} is {status.state} and not at work after {patience.start:.0f} s; it goes on, and "
                f"{driver.where} may have no room for it yet",
                where=f"job `{bound.name}`",
                fix=f"{_see(bound.name)}; to wait on: hdictl jobs submit {bound.name}",
            )
        clock.pause(_POLL_SECONDS)


def _refused(name: str, board: Board) -> JobRefused:
    return JobRefused(board.error or "it failed", where=f"job `{name}`", fix=board.fix or _see(name))


def _foreign(name: str, status: JobStatus) -> JobExists:
    return JobExists(
        f"{status.id} is {status.state} under this name, and was not submitted from here",
        where=f"job `{name}`",
        fix=f"see whose it is; to end it: hdictl jobs stop {name}",
    )


def _last_words(driver: JobDriver, name: str) -> str:
    from hdictl.drivers.spark.log import reasons

    lines = list(driver.log(name, lines=_LOG_LINES, follow=False))
    return "".join(f"\n    {line}" for line in reasons(lines))


def _see(name: str) -> str:
    return f"its log says more: hdictl jobs logs {name}"


def _note(package: JobPackage) -> dict[str, str]:
    """Its own for every submission: of two at the same time, each knows which note it wrote."""
    return {
        "fingerprint": package.fingerprint,
        "pipeline": package.pipeline.document.name,
        "submission": uuid.uuid4().hex,
    }
