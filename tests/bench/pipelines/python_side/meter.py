"""Rows, seconds and CPU-seconds of a program that reads a topic to its end; what it does first is warm-up."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

WARM_UP = 0.1  # of all rows


def task() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    return found


class Meter:
    """Told of rows as they are done. CPU is that of the whole process: the client's own threads are in it."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.done = 0
        self._warm = int(total * WARM_UP)
        self._begin: tuple[int, float, float] | None = None
        self._end: tuple[float, float] | None = None

    def add(self, rows: int) -> None:
        self.done += rows
        if self._begin is None and self.done >= self._warm:
            self._begin = (self.done, time.monotonic(), time.process_time())
        if self.done >= self.total and self._end is None:
            self._end = (time.monotonic(), time.process_time())  # some go on waiting for more

    @property
    def is_done(self) -> bool:
        return self.done >= self.total

    def tell(self, **more: Any) -> None:
        assert self._begin is not None
        rows, seconds, cpu = self._begin
        end, cpu_end = self._end or (time.monotonic(), time.process_time())
        told = {"rows": self.done - rows, "seconds": end - seconds, "cpu_seconds": cpu_end - cpu, **more}
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()
