"""How long a person waits for `--help`."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time


def _median(command: list[str], repeats: int = 9) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def measure() -> dict[str, float]:
    bare = _median([sys.executable, "-c", "pass"])
    shown = _median([sys.executable, "-m", "hdictl", "--help"])
    return {"bare_python_seconds": bare, "help_seconds": shown, "ratio": shown / bare}
