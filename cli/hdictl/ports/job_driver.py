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
    resources: JobResources = field(default_factory=JobResources)
    uses_packages: bool = False
    has_delta: bool = False


@dataclass(frozen=True)
class LivingJob:
    """What whoever runs a job knows of it: a process id, or a batch of Livy and an application of YARN."""

    id: str
    state: str  # starting, running, over or failed
    started: float | None = None  # seconds since the epoch, where that is known


class JobDriver(Protocol):
    spark: str  # version of the Spark that jobs run on
    where: str  # for messages

    def storage(self, job: str) -> AbstractContextManager[JobStorage]: ...

    def surroundings(self, job: str) -> Surroundings:
        """Where Spark finds what the job needs."""

    def package_digest(self, *, has_delta: bool) -> str:
        """Of the library and the jars that a job is submitted with."""

    def find(self, job: str) -> LivingJob | None:
        """None when nobody knows of it, or nobody does any more."""

    def launch(self, package: JobPackage, progress: Progress) -> LivingJob:
        """Put everything where it belongs, and start. Refused when one of this name runs."""

    def kill(self, job: str) -> None:
        """End it without warning; what it has not finished is run again when it resumes."""

    def log(self, job: str, *, lines: int, follow: bool) -> Iterator[str]:
        """Its last lines, and with `follow` what comes until it is over."""
