"""How long a stack of 2,000 topics takes to parse and to check: `python tests/bench/check_2000.py`."""

from __future__ import annotations

import datetime
import statistics
import sys
import tempfile
import time
from pathlib import Path

from hdictl.stack.check import check
from hdictl.stack.load import load

_HEAD = """\
stack: many
clusters:
  ingest: {{kind: kafka, head: {{size: Standard_E8_v3}}, workers: {{count: {brokers}}}}}
topics:
  defaults: {{partitions: 3, replication: 3, config: {{min.insync.replicas: 2}}}}
"""
_SETTINGS = ("retention.ms: 3d", "cleanup.policy: compact", "retention.bytes: 10GB", "compression.type: zstd")


def stack_text(topics: int) -> str:
    lines = [
        f"  team-{number % 40:02}.events-{number:04}: {{partitions: {3 + number % 4}, "
        f"config: {{{_SETTINGS[number % 4]}, max.message.bytes: 512KB}}}}"
        for number in range(topics)
    ]
    return _HEAD.format(brokers=max(3, topics // 80)) + "\n".join(lines) + "\n"


def measure(topics: int = 2000, repeats: int = 5) -> tuple[float, float]:
    """Median seconds of loading and of checking."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "stack.yaml")
        file.write_text(stack_text(topics), encoding="utf-8")
        loads, checks = [], []
        for _ in range(repeats):
            start = time.perf_counter()
            loaded = load(file, environ={})
            middle = time.perf_counter()
            findings = check(loaded, today=datetime.date(2026, 1, 1), environ={})
            end = time.perf_counter()
            if findings:
                raise SystemExit(f"the stack is not clean: {findings[0]}")
            loads.append(middle - start)
            checks.append(end - middle)
    return statistics.median(loads), statistics.median(checks)


if __name__ == "__main__":
    topics = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    parse, rules = measure(topics)
    print(f"{topics} topics: parse {parse:.3f} s, check {rules:.3f} s, ratio {rules / parse:.2f}")
