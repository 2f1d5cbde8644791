"""Streaming jobs: what a run is, and who starts one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from hdictl.ports.progress import Progress
from hdictl.streaming.job import JobSpec


@dataclass(frozen=True)
class BatchProgress:
    """What one committed micro-batch of one query of a job did."""

    query: str
    is_output: bool  # the job's own output; its other queries carry dead letters
    batch: int  # -1: no batch of this run, but where the query stood when the run resumed it
    input_rows: int
    output_rows: int
    valid: int
    dead: int
    tombstones: int
    late: int
    duplicates: int
    state_rows: int
    watermark: int  # milliseconds since the epoch; 0 before there is one
    end_offsets: Mapping[str, Mapping[int, int]]  # topic → partition → next offset to read
    duration_ms: int


@dataclass(frozen=True)
class JobEnd:
    """How a run ended. `is_settled`: no micro-batch was begun and left unfinished."""

    exit_code: int
    is_settled: bool
    batches: tuple[BatchProgress, ...]  # committed since progress was last read


class JobRun(Protocol):
    """One run of a job. Leaving its context ends it, whatever the reason for leaving is."""

    log: Path

    def __enter__(self) -> JobRun: ...

    def __exit__(self, *reason: object) -> None: ...

    def progress(self, *, patience: float) -> Iterator[BatchProgress]:
        """Batches as they are committed, until the job ends. It fails when none comes for `patience` seconds."""

    def stop(self, *, patience: float) -> JobEnd:
        """Ask it to stop between two micro-batches; end it by force when it has not after `patience` seconds."""

    def wait(self) -> JobEnd: ...

    def kill(self) -> None:
        """End it without warning, as a crash does."""


class JobRunner(Protocol):
    def start(self, job: JobSpec, progress: Progress) -> JobRun:
        """Start the job, or resume it where its checkpoint ends."""

    def forget(self, job: JobSpec) -> None:
        """Throw away what its runs have left, the checkpoint among it: the next run begins at the beginning."""
