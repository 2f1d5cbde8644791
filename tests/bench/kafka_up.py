"""How long ZooKeeper and three brokers take to be ready, and what memory they hold."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from hdictl.drivers.local.platform import LocalPlatform
from hdictl.ports.machine import BrokerSpec, KafkaSpec
from hdictl.ports.progress import Silent

SPEC = KafkaSpec("ingest", tuple(BrokerSpec(1001 + number, number, number) for number in range(3)))


def _up() -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        platform = LocalPlatform("bench", Path(folder, "bench"))
        start = time.perf_counter()
        try:
            platform.up([SPEC], Silent())
            seconds = time.perf_counter() - start
            (status,) = platform.status()
            return seconds, sum(node.memory or 0 for node in status.nodes) / 1e6
        finally:
            platform.down(keep_data=False, progress=Silent())


def measure(repeats: int = 5) -> dict[str, float]:
    _up()  # fetches jars and makes the class archive, when they are not there yet
    runs = [_up() for _ in range(repeats)]
    return {
        "ready_seconds_median": statistics.median(seconds for seconds, _ in runs),
        "ready_seconds_worst": max(seconds for seconds, _ in runs),
        "resident_megabytes_median": statistics.median(memory for _, memory in runs),
    }
