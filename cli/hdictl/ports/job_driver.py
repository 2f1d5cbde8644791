"""Jobs that run by themselves: on this machine in the background, or on a cluster through Livy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from hdictl.ports.job_storage import JobStorage
from hdictl.ports.progress import Progress
from hdictl.stack.model import JobResources
from hdictl.streaming.pipeline import Pipeline
from hdictl.streaming.spec import Surroundings

STARTING, RUNNING, OVER, FAILED = "starting", "running", "over", "failed"


@dataclass(frozen=True)
class JobPackage:
    """All that a job is submitted with."""

    name: str
    pipeline: Pipeline
    document: Mapping[str, Any]  # what the entry point is told
    fingerprint: str  # of the document, the library and the jars
    version: str = ""  # of the files that go along: what runs reads its own until it is over
    resources: JobResources = field(default_factory=JobResources)
    uses_packages: bool = False
    has_delta: bool = False


@dataclass(frozen=True)
class LivingJob:
    """What whoever runs a job knows of it: a process id, or a batch of Livy and an application of YARN."""

    id: str
    state: str  # starting, running, over or failed
    started: float | None = None  # seconds since the epoch, where that is known

    @property
    def run(self) -> str:
        """Tells one run of a job from the next. YARN's application comes into the id later, and is no other run."""
        return self.id.partition(",")[0]


class StagedJob(Protocol):
    """A job with everything in its place."""

    def start(self, progress: Progress) -> LivingJob:
        """Refused when one of this name runs."""


class JobDriver(Protocol):
    spark: str  # version of the Spark that jobs run on
    where: str  # for messages

    def storage(self, job: str) -> AbstractContextManager[JobStorage]: ...

    def surroundings(self, job: str, version: str) -> Surroundings:
        """Where Spark finds what the job needs. `version`: of the files that go along."""

    def package_digest(self, *, has_delta: bool) -> str:
        """Of the library and the jars that a job is submitted with."""

    def names(self) -> list[str]:
        """Jobs of this stack that may run here, whether the stack still has them or not."""

    def find(self, job: str) -> LivingJob | None:
        """None when nobody knows of it, or nobody does any more."""

    def stage(self, package: JobPackage, progress: Progress) -> StagedJob:
        """All that can go wrong before a start: checks, jars, uploads. A run of this name is not disturbed."""

    def kill(self, job: str, run: str) -> bool:
        """End this run without warning; what it has not finished is run again when it resumes.

        False when it was over already: another run of the same name is not touched.
        """

    def log(self, job: str, *, lines: int, follow: bool) -> Iterator[str]:
        """Its last lines, and with `follow` what comes until it is over."""
