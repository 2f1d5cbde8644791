"""Stop a job between two micro-batches; when that takes too long, by force.

A micro-batch takes as long as it takes: only the timeout of whoever stops it ends one.
"""

from __future__ import annotations

from hdictl.ports.job_driver import JobDriver, LivingJob
from hdictl.ports.progress import Progress
from hdictl.streaming.outcomes import Stopped
from hdictl.streaming.state import BOARD, STOP, ended_by_force
from hdictl.workflow.jobs.clock import REAL, Clock
from hdictl.workflow.jobs.status import board_content, is_living, submitted_fingerprint

_POLL_SECONDS = 0.5


def stop_job(driver: JobDriver, name: str, progress: Progress, *, timeout: float, clock: Clock = REAL) -> Stopped:
    """The marker outlives whoever set it: a second `stop` goes on waiting."""
    begun = clock.now()
    found = driver.find(name)
    if found is None or not is_living(found):
        with driver.storage(name) as storage:
            storage.delete(STOP)
        return Stopped(name, was_running=False, was_killed=False, seconds=0.0)
    with driver.storage(name) as storage:
        storage.write(STOP, b"")
        progress.step(f"{name}: asked to stop after its micro-batch")
        said, was_killed = None, False
        while _is_at_work(current := driver.find(name), found.run):
            if clock.now() - begun >= timeout:
                progress.step(f"{name}: still at work after {timeout:.0f} s, and ended; the batch is run again")
                said = board_content(storage)  # before: its queries break off when it is ended, and it may say so
                was_killed = driver.kill(name, found.run)
                current = driver.find(name)
                break
            clock.pause(_POLL_SECONDS)
        # Beside another run, what lies there is of that one.
        if not is_living(current):
            storage.delete(STOP)
            if was_killed:
                # It cannot say so itself, and would look lost.
                storage.write(BOARD, ended_by_force(said, submitted_fingerprint(storage)))
    return Stopped(name, was_running=True, was_killed=was_killed, seconds=clock.now() - begun)


def _is_at_work(current: LivingJob | None, run: str) -> bool:
    """Another run means that this one is over: somebody has started the job anew, and did not ask for its end."""
    return current is not None and is_living(current) and current.run == run
