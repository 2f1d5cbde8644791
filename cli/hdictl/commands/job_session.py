"""From the shared options to the stack's jobs, each with its driver."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from hdictl.commands.session import open_stack
from hdictl.drivers.pipeline_folders import find_pipeline
from hdictl.errors import HdictlError, NotRunning, TargetUnsupported, UsageError
from hdictl.interrupt import came_of_interrupt
from hdictl.ports.job_driver import JobDriver
from hdictl.ports.progress import Progress
from hdictl.ports.target import Target
from hdictl.show.progress import TerminalProgress
from hdictl.show.terminal import say
from hdictl.stack.model import Stack
from hdictl.stack.units import milliseconds
from hdictl.streaming.change import PipelineChange
from hdictl.streaming.outcomes import FailedJob
from hdictl.streaming.pipeline import load
from hdictl.streaming.state import JobStatus
from hdictl.workflow.jobs.bound import BoundJob, bind, chosen_jobs
from hdictl.workflow.jobs.logs import log_lines
from hdictl.workflow.jobs.status import status_of, stray_status

Made = TypeVar("Made")


@dataclass(frozen=True)
class JobSession:
    stack: Stack
    target: Target
    folder: Path  # of the stack file
    names: list[str]
    progress: Progress
    strays_at: Mapping[str, str] = field(default_factory=dict)  # job that is not in the stack any more → its cluster

    def each(self) -> Iterator[tuple[BoundJob, JobDriver]]:
        """Jobs bound to their topics: for whoever needs a living Kafka."""
        for name, driver in self.drivers():
            yield self.bound(name), driver

    def drivers(self) -> Iterator[tuple[str, JobDriver]]:
        for name in self.names:
            with self._driver(name) as driver:
                yield name, driver

    def attempt(self, act: Callable[[str, JobDriver], Made]) -> tuple[list[Made], list[FailedJob]]:
        """All of them, whatever becomes of one. When there is only one, its failure is that of the command."""
        done: list[Made] = []
        failed: list[FailedJob] = []
        for name in self.names:
            try:
                with self._driver(name) as driver:
                    done.append(act(name, driver))
            except HdictlError as error:
                if len(self.names) == 1 or came_of_interrupt(error):
                    raise
                failed.append(FailedJob(name, _placed(error, f"job `{name}`")))
        return done, failed

    def _driver(self, name: str) -> AbstractContextManager[JobDriver]:
        job = self.stack.jobs.get(name)
        return self.target.jobs(job.cluster if job is not None else self.strays_at[name])

    def bound(self, name: str) -> BoundJob:
        return bind(self.stack, name, self.target, self.folder)

    def statuses(self) -> list[JobStatus]:
        return [status_of(driver, name, self.stack.jobs[name].pipeline) for name, driver in self.drivers()]

    def strays(self) -> list[JobStatus]:
        """Jobs that run and are not in the stack any more."""
        places = stray_clusters(self.stack, self.target)
        strays = replace(self, names=list(places), strays_at=places)
        found = [stray_status(driver, name) for name, driver in strays.drivers()]
        return [status for status in found if status is not None]

    def log(self, *, lines: int, follow: bool) -> Iterator[str]:
        for name, driver in self.drivers():
            yield from log_lines(driver, name, say, lines=lines, follow=follow)

    def seconds(self, duration: str) -> float:
        try:
            return milliseconds(duration) / 1000
        except ValueError as error:
            raise UsageError(str(error), where="--timeout", fix="write 30s, 2m or 1h") from None


def stray_clusters(stack: Stack, target: Target) -> dict[str, str]:
    """Jobs that may run and are not in the stack any more, each with its cluster."""
    found: dict[str, str] = {}
    for cluster in target.job_clusters():
        try:
            with target.jobs(cluster) as driver:
                found |= {name: cluster for name in driver.names() if name not in stack.jobs}
        except (NotRunning, TargetUnsupported):
            continue  # it is not there, or takes no jobs from here
        except HdictlError as error:
            if came_of_interrupt(error):
                raise
            say(f"{error.where or cluster}: {error.what}; jobs there that left the stack are not seen")
    return found


def _placed(error: HdictlError, job: str) -> HdictlError:
    """Of several jobs it has to be said which; a driver knows its own place only."""
    if job not in (error.where or ""):
        error.where = f"{job}: {error.where}" if error.where else job
    return error


def open_jobs(
    file: Path, env: str | None, target: str, names: list[str] | None, *, with_strays: bool = False
) -> JobSession:
    """`with_strays`: those that were taken out of the stack may be named as well."""
    session = open_stack(file, env, target)
    is_asked = with_strays and not set(names or ()) <= set(session.stack.jobs)  # on Azure to look is a request
    strays = stray_clusters(session.stack, session.target) if is_asked else {}
    chosen = chosen_jobs(session.stack, names, list(strays))
    return JobSession(session.stack, session.target, file.resolve().parent, chosen, TerminalProgress(), strays)


def planned_changes(pipeline: str, file: Path, env: str | None, target: str) -> dict[str | None, PipelineChange]:
    """Job → what becomes of it; under None the pipeline alone, when no job of a stack runs it."""
    from hdictl.workflow.jobs.change import job_change, notes_of, pipeline_shape

    found: dict[str | None, PipelineChange] = {}
    if file.exists():
        session = open_jobs(file, env, target, None)
        wanted = find_pipeline(pipeline, session.folder).resolve()
        names = [
            name
            for name in session.names
            if find_pipeline(session.stack.jobs[name].pipeline, session.folder).resolve() == wanted
        ]
        for bound, driver in replace(session, names=names).each():
            notes = notes_of(driver, bound.name)
            with session.target.offsets(bound.kafka) as kafka:
                found[bound.name] = job_change(driver, bound, notes, kafka.topic_ids, session.progress)
    if not found:
        found[None] = pipeline_shape(load(find_pipeline(pipeline, file.resolve().parent)), TerminalProgress())
    return found
