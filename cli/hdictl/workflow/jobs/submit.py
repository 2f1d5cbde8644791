"""Submit a job: what runs and has not changed is left alone; what has changed goes on from its checkpoint."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from hdictl.errors import HdictlError, JobExists, JobRefused, SparkFailed
from hdictl.ports.job_driver import JobDriver, JobPackage
from hdictl.ports.job_storage import JobStorage
from hdictl.ports.progress import Progress
from hdictl.streaming import state
from hdictl.streaming.outcomes import RESTARTED, STARTED, UNCHANGED, Submitted
from hdictl.streaming.pipeline import Pipeline
from hdictl.streaming.spec import to_document
from hdictl.streaming.state import BOARD, BOARD_DRAFT, STOP, SUBMITTED, JobStatus
from hdictl.workflow.jobs.bound import BoundJob
from hdictl.workflow.jobs.clock import REAL, Clock
from hdictl.workflow.jobs.status import is_living, status_of
from hdictl.workflow.jobs.stop import stop_job

_POLL_SECONDS = 0.5
_LOG_LINES = 200


@dataclass(frozen=True)
class Patience:
    """Seconds: for the run before to stop, and for the new one to be at work."""

    stop: float = 120.0
    start: float = 180.0
    clock: Clock = REAL


def to_package(driver: JobDriver, bound: BoundJob) -> JobPackage:
    document = to_document(bound.pipeline, bound.spec, driver.surroundings(bound.name))
    digest = driver.package_digest(has_delta=bound.job.delta)
    resources = bound.job.resources.model_dump_json()
    tables = _tables_digest(bound.pipeline)
    joined = f"{document['fingerprint']} {digest} {driver.spark} {resources} {bound.job.packages} {tables}"
    fingerprint = hashlib.sha256(joined.encode()).hexdigest()[:16]
    return JobPackage(
        name=bound.name,
        pipeline=bound.pipeline,
        document={**document, "fingerprint": fingerprint},
        fingerprint=fingerprint,
        resources=bound.job.resources,
        uses_packages=bound.job.packages,
        has_delta=bound.job.delta,
    )


def submit_job(
    driver: JobDriver,
    bound: BoundJob,
    progress: Progress,
    *,
    is_forced: bool = False,
    patience: Patience = Patience(),  # noqa: B008 (frozen)
) -> Submitted:
    """With `is_forced`, one that has not changed is restarted as well."""
    package = to_package(driver, bound)
    before = status_of(driver, bound.name, bound.job.pipeline, package.fingerprint)
    was_living = before.state in (state.RUNNING, state.STARTING, state.STOPPING)
    if was_living and before.is_current and before.state != state.STOPPING and not is_forced:
        return Submitted(bound.name, UNCHANGED, before)
    if was_living and before.fingerprint is None and before.board is None:
        raise _foreign(bound.name, before)
    stopped = stop_job(driver, bound.name, progress, timeout=patience.stop, clock=patience.clock)
    with driver.storage(bound.name) as storage:
        _launch(driver, package, storage, progress)
    progress.step(f"{bound.name}: waiting until it is at work")
    status = await_running(driver, bound, package.fingerprint, patience)
    return Submitted(bound.name, RESTARTED if was_living else STARTED, status, was_killed=stopped.was_killed)


def _launch(driver: JobDriver, package: JobPackage, storage: JobStorage, progress: Progress) -> None:
    """What is submitted is noted first: when the answer is lost, the next submission knows its own job again."""
    before = storage.read(SUBMITTED)
    for place in (STOP, BOARD, BOARD_DRAFT):
        storage.delete(place)
    storage.write(SUBMITTED, json.dumps(_note(package)).encode())
    try:
        driver.launch(package, progress)
    except HdictlError as error:
        if isinstance(error, JobExists) or not _may_run(driver, package.name):
            _put_back(storage, before)
        raise


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
    """Until the job says that it runs; what it says when it does not is told."""
    clock = patience.clock
    deadline = clock.now() + patience.start
    while True:
        status = status_of(driver, bound.name, bound.job.pipeline, fingerprint)
        if status.state in (state.RUNNING, state.STOPPED):
            return status
        if status.state == state.FAILED and status.board is not None:
            raise JobRefused(
                status.board.error or "it failed", where=f"job `{bound.name}`", fix=status.board.fix or _see(bound.name)
            )
        if status.state not in (state.STARTING, state.STOPPING):
            raise SparkFailed(
                f"it ended before it was at work{_last_words(driver, bound.name)}",
                where=f"job `{bound.name}`",
                fix=_see(bound.name),
            )
        if clock.now() > deadline:
            return status
        clock.pause(_POLL_SECONDS)


def _foreign(name: str, status: JobStatus) -> JobExists:
    return JobExists(
        f"{status.id} is {status.state} under this name, and was not submitted from here",
        where=f"job `{name}`",
        fix=f"see whose it is; to end it: hdictl jobs stop {name}",
    )


def _tables_digest(pipeline: Pipeline) -> str:
    """Of the tables in the pipeline's folder, which go to the cluster with the job."""
    digest = hashlib.sha256()
    for file in pipeline.table_files():
        digest.update(file.encode() + b"\0" + (pipeline.folder / file).read_bytes())
    return digest.hexdigest()


def _last_words(driver: JobDriver, name: str) -> str:
    from hdictl.drivers.spark.log import reasons

    lines = list(driver.log(name, lines=_LOG_LINES, follow=False))
    return "".join(f"\n    {line}" for line in reasons(lines))


def _see(name: str) -> str:
    return f"its log says more: hdictl jobs logs {name}"


def _note(package: JobPackage) -> dict[str, str]:
    return {"fingerprint": package.fingerprint, "pipeline": package.pipeline.document.name}
