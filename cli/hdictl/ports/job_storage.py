"""A job's folder, wherever it lies: on this machine's disk, or in a data lake beside a cluster.

checkpoints/QUERY/      Spark's own, and beside its files `hdictl.json`: what the checkpoint belongs to
_control/stop           asks the job to stop between two micro-batches
_control/submitted.json what was submitted last, with its fingerprint
_control/replayed.json  which dead letters were sent again
_progress/              what the job says about itself
tables/SINK/            what file sinks write
package/                entry point, library and jars, on a cluster
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True)
class StoredFile:
    """A child of a folder. `modified` is seconds since the epoch."""

    name: str
    is_folder: bool
    size: int
    modified: float


class JobStorage(Protocol):
    """Paths are relative to the folder, with `/` between parts."""

    root: str  # as Spark names the folder: file:///…, abfs://…

    def read(self, path: str) -> bytes | None:
        """None when there is no such file."""

    def list(self, folder: str) -> tuple[StoredFile, ...]:
        """Its direct children, by name; none when there is no such folder."""

    def write(self, path: str, content: bytes) -> None:
        """The whole file, with the folders above it. A reader sees the old one or the new one."""

    def upload(self, path: str, file: Path) -> None:
        """The same from a file, however large."""

    def delete(self, path: str) -> None:
        """A file, or a folder with all that is in it; what is not there is gone already."""

    def move(self, path: str, to: str) -> None:
        """A file or folder, to a place where there is none."""
