"""How long six clusters in two regions take to render: `python -m tests.bench.render_six`."""

from __future__ import annotations

import statistics
import time
from pathlib import Path

from hdictl.arm.files import file_texts
from hdictl.arm.modules import module
from hdictl.arm.render import render
from hdictl.stack.load import load

STACK = Path(__file__).parent / "stacks" / "six-clusters.yaml"
_SUBSCRIPTION = "11111111-2222-3333-4444-555555555555"


def measure(repeats: int = 9) -> dict[str, float]:
    """Seconds of the first run, which reads the modules, and the median of later ones; size of the templates."""
    stack = load(STACK, target="azure", environ={"AZURE_SUBSCRIPTION_ID": _SUBSCRIPTION}).stack
    if stack is None:
        raise SystemExit(f"{STACK} does not load")
    module.cache_clear()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        texts = file_texts(render(stack))
        times.append(time.perf_counter() - start)
    return {
        "first_seconds": times[0],
        "later_seconds": statistics.median(times[1:]),
        "kilobytes": sum(map(len, texts.values())) / 1000,
    }


if __name__ == "__main__":
    for what, value in measure().items():
        print(f"{what.replace('_', ' '):16} {value:10.3f}")
