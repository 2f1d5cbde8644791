"""Run a job in the foreground: it ends with whoever started it, between two micro-batches."""

from __future__ import annotations

from collections.abc import Callable

from hdictl.ports.jobs import BatchProgress, JobEnd, JobRunner
from hdictl.ports.progress import Progress
from hdictl.streaming.job import JobSpec

_PATIENCE_SECONDS = 3600.0  # a stream may have nothing to say for long
_STOP_SECONDS = 60.0

Told = Callable[[BatchProgress], None]


def run_attached(runner: JobRunner, job: JobSpec, progress: Progress, told: Told, *, fresh: bool) -> JobEnd:
    """Until it has read what there was, if that is all it shall do; else until Ctrl-C."""
    if fresh:
        runner.forget(job)
    progress.step("starting Spark")
    with runner.start(job, progress) as run:
        try:
            for batch in run.progress(patience=_PATIENCE_SECONDS):
                told(batch)
            return run.wait()
        except KeyboardInterrupt:
            progress.step("stopping after its micro-batch; once more Ctrl-C ends it at once")
        end = run.stop(patience=_STOP_SECONDS)
        for batch in end.batches:
            told(batch)
        return end
