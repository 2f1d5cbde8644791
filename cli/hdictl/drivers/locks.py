"""One at a time: file locks that say who holds them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from hdictl.errors import Locked


@contextmanager
def lock(file: Path, what: str) -> Iterator[None]:
    """Hold `file` while working on `what`; refuse at once when somebody else does. A dead holder's lock is free."""
    file.parent.mkdir(parents=True, exist_ok=True)
    holder = file.with_suffix(".holder")
    try:
        with FileLock(str(file), timeout=0):
            holder.write_text(f"{os.getpid()} since {time.strftime('%H:%M:%S')}", encoding="utf-8")
            try:
                yield
            finally:
                holder.unlink(missing_ok=True)
    except Timeout:
        who = holder.read_text(encoding="utf-8") if holder.exists() else "unknown"
        raise Locked(
            f"another hdictl is at work on it (process {who})",
            where=what,
            fix="wait until it is done, then run this again",
        ) from None
