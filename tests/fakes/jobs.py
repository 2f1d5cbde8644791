"""A driver of jobs that do as they are told, a clock that a test moves on, and a Kafka that knows offsets only."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from hdictl.drivers.job_folder import LocalFolder
from hdictl.errors import LivyFailed
from hdictl.ports.job_driver import OVER, RUNNING, JobPackage, LivingJob
from hdictl.ports.offsets import Offsets
from hdictl.ports.progress import Progress, Silent
from hdictl.stack.model import Stack
from hdictl.streaming.spec import Surroundings
from hdictl.streaming.state import BOARD, SUBMITTED
from hdictl.workflow.jobs.bound import BoundJob, bind
from hdictl.workflow.jobs.clock import Clock


class FakeClock:
    """`happens` is called after every pause, with the seconds that have passed."""

    def __init__(self, happens: Callable[[float], object] = lambda _: None) -> None:
        self.seconds = 0.0
        self.happens = happens

    def pause(self, seconds: float) -> None:
        self.seconds += seconds
        self.happens(self.seconds)

    @property
    def clock(self) -> Clock:
        return Clock(lambda: self.seconds, self.pause)


class Told(Silent):
    """A `Progress` that writes down what it is told."""

    def __init__(self) -> None:
        self.steps: list[str] = []

    def step(self, message: str) -> None:
        self.steps.append(message)


class FakeJobs:
    """A `JobDriver` of one job. `on_launch` is what happens when one is started."""

    spark = "3.3.1"
    where = "nowhere"

    def __init__(self, folder: Path) -> None:
        self.files = LocalFolder(folder)
        self.living: LivingJob | None = None
        self.is_away = False
        self.calls: list[str] = []
        self.digest = "library"
        self.known: list[str] = []
        self.words: list[str] = []
        self.on_kill: Callable[[], object] = lambda: None
        self.on_stage: Callable[[JobPackage], object] = lambda _package: None
        self.on_launch: Callable[[JobPackage], object] = lambda package: self.say("running", package.fingerprint)

    def storage(self, job: str) -> AbstractContextManager[LocalFolder]:
        return nullcontext(self.files)

    def surroundings(self, job: str, version: str) -> Surroundings:
        return Surroundings("file:///jobs/orders")

    def package_digest(self, *, has_delta: bool) -> str:
        return f"{self.digest} {has_delta}"

    def names(self) -> list[str]:
        return self.known

    def find(self, job: str) -> LivingJob | None:
        if self.is_away:
            raise LivyFailed("it does not answer (connection refused)")
        return self.living

    def stage(self, package: JobPackage, progress: Progress) -> FakeStaged:
        self.on_stage(package)
        return FakeStaged(self, package)

    def kill(self, job: str, run: str) -> bool:
        self.calls.append("kill")
        if self.living is None or self.living.run != run or self.living.state != RUNNING:
            return False
        self.on_kill()
        self.end()
        return True

    def log(self, job: str, *, lines: int, follow: bool) -> Iterator[str]:
        return iter(self.words[-lines:])

    # What a test does

    def run(self, fingerprint: str | None = None, state: str = "running") -> None:
        """There is one that somebody has submitted before."""
        self.living = LivingJob("7", RUNNING)
        if fingerprint is not None:
            self.files.write(SUBMITTED, json.dumps({"fingerprint": fingerprint}).encode())
            self.say(state, fingerprint)

    def end(self) -> None:
        self.living = LivingJob("7", OVER)

    def say(self, state: str, fingerprint: str, place: str = BOARD, **more: Any) -> None:
        self.files.write(place, json.dumps({"state": state, "fingerprint": fingerprint, **more}).encode())


class FakeStaged:
    def __init__(self, jobs: FakeJobs, package: JobPackage) -> None:
        self._jobs, self._package = jobs, package

    def start(self, progress: Progress) -> LivingJob:
        jobs = self._jobs
        jobs.calls.append("launch")
        jobs.living = LivingJob(f"new-{len(jobs.calls)}", RUNNING)
        jobs.on_launch(self._package)
        return jobs.living


class FakeOffsets:
    """An `OffsetWriter`: topics by the times of their records, partition by partition."""

    def __init__(self, records: Mapping[str, Mapping[int, list[int]]], begins: Offsets | None = None) -> None:
        self._records = records
        self._begins = begins or {}
        self.groups: dict[str, dict[str, dict[int, int]]] = {}

    def ends(self, topics: Iterable[str]) -> Offsets:
        return {topic: {number: len(times) for number, times in self._records[topic].items()} for topic in topics}

    def beginnings(self, topics: Iterable[str]) -> Offsets:
        return {
            topic: {number: self._begins.get(topic, {}).get(number, 0) for number in self._records[topic]}
            for topic in topics
        }

    def at(self, topics: Iterable[str], moment_ms: int) -> Offsets:
        def first(topic: str, number: int, times: list[int]) -> int:
            return max(self._begins.get(topic, {}).get(number, 0), sum(time < moment_ms for time in times))

        return {
            topic: {number: first(topic, number, times) for number, times in self._records[topic].items()}
            for topic in topics
        }

    def committed(self, group: str) -> Offsets:
        return self.groups.get(group, {})

    def commit(self, group: str, offsets: Offsets) -> None:
        self.groups[group] = {topic: dict(parts) for topic, parts in offsets.items()}

    def times(self, offsets: Offsets) -> Mapping[str, Mapping[int, int]]:
        return {
            topic: {
                number: times[at] for number, at in parts.items() if at < len(times := self._records[topic][number])
            }
            for topic, parts in offsets.items()
        }

    def topic_ids(self, topics: Iterable[str]) -> Mapping[str, str]:
        return {topic: f"id-of-{topic}" for topic in topics}


class _Endpoint:
    bootstrap = "nowhere:9092"


class _Target:
    def endpoint(self, _cluster: str) -> _Endpoint:
        return _Endpoint()


def bound_job(pipeline: str, folder: Path, **job: Any) -> BoundJob:
    """A job of a pipeline that ships, or of one below `folder`."""
    writes = ("out", "activity", "top_pages", "sessions", "dead", "dead_letters")
    stack = Stack.model_validate(
        {
            "stack": "clicks",
            "clusters": {"ingest": {"kind": "kafka"}, "jobs": {"kind": "spark"}},
            "topics": {key: {} for key in ("orders", "views", *writes)},
            "jobs": {"orders": {"pipeline": pipeline, "cluster": "jobs", **job}},
        }
    )
    return bind(stack, "orders", _Target(), folder)
