"""One run of a job as a child process: its progress, its end, and how it is ended."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from hdictl.drivers.spark.archive import ClassArchive
from hdictl.drivers.spark.log import read_lines, reasons
from hdictl.errors import SparkFailed
from hdictl.ports.jobs import BatchProgress, JobEnd

_POLL_SECONDS = 0.05
_TERMINATE_SECONDS = 10.0


@dataclass(frozen=True)
class RunFiles:
    """What a job keeps on this machine. `progress` grows over all its runs; `log` is of the last one."""

    folder: Path

    @property
    def spec(self) -> Path:
        return self.folder / "spec.json"

    @property
    def library(self) -> Path:
        return self.folder / "streamkit.zip"

    @property
    def storage(self) -> Path:
        return self.folder / "storage"

    @property
    def scratch(self) -> Path:
        return self.folder / "scratch"

    @property
    def progress(self) -> Path:
        return self.folder / "progress.jsonl"

    @property
    def log(self) -> Path:
        return self.folder / "spark.log"

    @property
    def stop_marker(self) -> Path:
        return self.storage / "_control" / "stop"


class LocalRun:
    """A `JobRun`. `held` is what is let go when the run is over: its lock, its log file."""

    def __init__(
        self, name: str, files: RunFiles, process: subprocess.Popen[bytes], archive: ClassArchive, held: ExitStack
    ) -> None:
        self.name = name
        self.log = files.log
        self._files = files
        self._process = process
        self._archive = archive
        self._held = held
        self._read_from = files.progress.stat().st_size if files.progress.exists() else 0
        self._is_settled = False
        self._told: tuple[str, str] | None = None  # what the job itself says about its failure, and what to do

    def __enter__(self) -> LocalRun:
        return self

    def __exit__(self, *_reason: object) -> None:
        """A run that nobody waits for any more has no reason to go on."""
        if self._process.poll() is None:
            self._end_by_force()
        self._close()

    @property
    def pid(self) -> int:
        return self._process.pid

    def progress(self, *, patience: float) -> Iterator[BatchProgress]:
        last = time.monotonic()
        while True:
            is_over = self._process.poll() is not None  # asked before reading, so that no line is missed
            for batch in self._new_batches():
                last = time.monotonic()
                yield batch
            if is_over:
                self._require_success()
                return
            if time.monotonic() - last > patience:
                raise self._failure(f"nothing has come from it for {patience:.0f} s")
            time.sleep(_POLL_SECONDS)

    def stop(self, *, patience: float) -> JobEnd:
        self._files.stop_marker.parent.mkdir(parents=True, exist_ok=True)
        self._files.stop_marker.touch()
        try:
            self._process.wait(timeout=patience)
        except subprocess.TimeoutExpired:
            # Nothing is lost: the batch that is cut short is run again when the job resumes.
            self._end_by_force()
        return self._end()

    def wait(self) -> JobEnd:
        self._process.wait()
        self._require_success()
        return self._end()

    def kill(self) -> None:
        self._signal(signal.SIGKILL)
        self._process.wait()
        self._close()

    def _new_batches(self) -> Iterator[BatchProgress]:
        for line in self._new_lines():
            if line["event"] in ("batch", "resumed"):
                yield to_batch_progress(line)
            elif line["event"] == "stopped":
                self._is_settled = all(line["settled"].values())
            elif line["event"] == "failed":
                self._told = (line["what"], line["fix"])

    def _end(self) -> JobEnd:
        batches = tuple(self._new_batches())
        self._close()
        return JobEnd(self._process.returncode, self._is_settled, batches)

    def _new_lines(self) -> Iterator[dict[str, Any]]:
        if not self._files.progress.exists():
            return
        with self._files.progress.open("rb") as file:
            file.seek(self._read_from)
            for line in file:
                if not line.endswith(b"\n"):
                    return  # still being written
                self._read_from += len(line)
                yield json.loads(line)

    def _require_success(self) -> None:
        if self._process.returncode != 0:
            raise self._failure(f"ended with exit code {self._process.returncode}")

    def _failure(self, what: str) -> SparkFailed:
        for _batch in self._new_batches():
            pass  # its last word may be among what nobody has read yet
        if self._told is not None:
            said, fix = self._told
            return SparkFailed(said, where=f"job `{self.name}`", fix=f"{fix}{'; ' if fix else ''}log: {self.log}")
        said = "".join(f"\n    {line}" for line in reasons(read_lines(self.log)))
        return SparkFailed(f"{what}{said}", where=f"job `{self.name}`", fix=f"the whole log is in {self.log}")

    def _end_by_force(self) -> None:
        self._signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=_TERMINATE_SECONDS)
        # Spark's JVM has a Python child: when the JVM is gone, the child is ended too.
        self._signal(signal.SIGKILL)
        self._process.wait()

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)  # it leads a session of its own

    def _close(self) -> None:
        self._archive.keep(ended_well=self._process.returncode == 0)
        self._held.close()


def to_batch_progress(line: dict[str, Any]) -> BatchProgress:
    offsets = {
        topic: {int(partition): offset for partition, offset in partitions.items()}
        for topic, partitions in line["end_offsets"].items()
    }
    watermark = line.get("watermark")
    return BatchProgress(
        query=line["query"],
        is_output=line["role"] == "output",
        batch=line.get("batch", -1),
        input_rows=line.get("input_rows", 0),
        output_rows=line.get("output_rows", 0),
        valid=line.get("valid", 0),
        dead=line.get("dead", 0),
        tombstones=line.get("tombstones", 0),
        late=line.get("late_rows", 0),
        duplicates=line.get("duplicate_rows", 0),
        state_rows=line.get("state_rows", 0),
        watermark=_milliseconds(watermark) if watermark else 0,
        end_offsets=offsets,
        duration_ms=line.get("duration_ms", 0),
    )


def _milliseconds(moment: str) -> int:
    return round(datetime.fromisoformat(moment.replace("Z", "+00:00")).timestamp() * 1000)
