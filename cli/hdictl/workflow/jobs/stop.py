"""Stop a job between two micro-batches; when that takes too long, by force."""

from __future__ import annotations

from hdictl.ports.job_driver import JobDriver
from hdictl.ports.progress import Progress
from hdictl.streaming.outcomes import Stopped
from hdictl.streaming.state import BOARD, STOP, ended_by_force
from hdictl.workflow.jobs.clock import REAL, Clock
from hdictl.workflow.jobs.status import board_content, is_living, submitted_fingerprint

_POLL_SECONDS = 0.5


def stop_job(driver: JobDriver, name: str, progress: Progress, *, timeout: float, clock: Clock = REAL) -> Stopped:
    """The marker outlives whoever set it: a second `stop` goes on waiting."""
    begun = clock.now()
    if not is_living(driver.find(name)):
        with driver.storage(name) as storage:
            storage.delete(STOP)
        return Stopped(name, was_running=False, was_killed=False, seconds=0.0)
    with driver.storage(name) as storage:
        storage.write(STOP, b"")
        progress.step(f"{name}: asked to stop after its micro-batch")
        while is_living(driver.find(name)):
            if clock.now() - begun >= timeout:
                progress.step(f"{name}: still at work after {timeout:.0f} s, and ended; the batch is run again")
                driver.kill(name)
                storage.delete(STOP)
                # It cannot say so itself, and would look lost.
                storage.write(BOARD, ended_by_force(board_content(storage), submitted_fingerprint(storage)))
                return Stopped(name, was_running=True, was_killed=True, seconds=clock.now() - begun)
            clock.pause(_POLL_SECONDS)
        storage.delete(STOP)
    return Stopped(name, was_running=True, was_killed=False, seconds=clock.now() - begun)
