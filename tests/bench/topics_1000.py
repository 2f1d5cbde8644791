"""1,000 topics of 6 partitions on three local brokers: plan, apply, plan again."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from tests.workspace import Workspace, kafka_stack


def measure(topics: int = 1000) -> dict[str, float]:
    stack = kafka_stack({f"topic-{number:04}": {"partitions": 6} for number in range(topics)})
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace(Path(folder))
        workspace.write(stack)
        try:
            workspace.run("up", "--no-topics").ok()
            return {
                "plan_seconds": _timed(lambda: workspace.run("plan", "--out", "plan.json").failed(3)),
                "apply_seconds": _timed(lambda: workspace.run("apply", "plan.json", timeout=900).ok()),
                "second_plan_seconds": _timed(lambda: workspace.run("plan").ok()),
            }
        finally:
            workspace.run("down")


def _timed(work: object) -> float:
    start = time.perf_counter()
    work()  # type: ignore[operator]
    return time.perf_counter() - start
