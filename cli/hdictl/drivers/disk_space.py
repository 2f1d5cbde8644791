"""Room on a disk, asked for before it is needed."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

from hdictl.errors import DiskFull


def free_space(folder: Path) -> int:
    return shutil.disk_usage(folder).free


def shares(folders: Mapping[int, Path]) -> dict[int, int]:
    """Broker id → its part of what is free: brokers on one disk fill it together."""
    there = {broker: folder for broker, folder in folders.items() if folder.is_dir()}
    disks = {broker: folder.stat().st_dev for broker, folder in there.items()}
    sharing = Counter(disks.values())
    return {broker: free_space(folder) // sharing[disks[broker]] for broker, folder in there.items()}


def require_space(
    folder: Path, needed: int, *, what: str, variable: str, free: Callable[[Path], int] = free_space
) -> None:
    """`variable` is the environment variable that moves the folder elsewhere."""
    found = free(folder)
    if found < needed:
        raise DiskFull(
            f"{what} needs {needed >> 20} MB, {found >> 20} MB are free",
            where=str(folder),
            fix=f"make room, or set {variable} to a folder on another disk",
        )
