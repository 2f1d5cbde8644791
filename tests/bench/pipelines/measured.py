"""Several programs in turn, again and again, so that a slow minute of the machine hits all of them; medians."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping
from typing import Any

Measure = Callable[[], Mapping[str, Any]]  # one run: rows, seconds, cpu_seconds


def in_turn(programs: Mapping[str, Measure], repeats: int) -> dict[str, dict[str, float]]:
    found: dict[str, list[Mapping[str, Any]]] = {name: [] for name in programs}
    for _repeat in range(repeats):
        for name, measure in programs.items():
            one = measure()
            found[name].append(one)
            speed, per_cpu = one["rows"] / one["seconds"], one["rows"] / one["cpu_seconds"]
            print(f"   {name:28} {speed:12,.0f} /s {per_cpu:12,.0f} /cpu-s", flush=True)
    return {name: _middle(runs) for name, runs in found.items()}


def _middle(runs: list[Mapping[str, Any]]) -> dict[str, float]:
    per_second = [each["rows"] / each["seconds"] for each in runs]
    per_cpu = [each["rows"] / each["cpu_seconds"] for each in runs]
    return {
        "per_second": statistics.median(per_second),
        "per_second_least": min(per_second),
        "per_second_most": max(per_second),
        "per_cpu_second": statistics.median(per_cpu),
        "runs": len(runs),
    }
