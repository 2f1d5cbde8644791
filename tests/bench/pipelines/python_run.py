"""Start one of `python_side`, on the Python that has the libraries it is compared with."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
PYTHON = Path(os.environ.get("HDICTL_BENCH_PYTHON", ROOT / ".venv-bench" / "bin" / "python"))


def measure(program: str, task: dict[str, Any]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "task.json")
        file.write_text(json.dumps(task))
        done = subprocess.run(
            [str(PYTHON), "-m", f"tests.bench.pipelines.python_side.{program}", str(file)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
    answer = next((line for line in done.stdout.splitlines() if line.startswith("{")), None)
    if answer is None:
        raise RuntimeError(f"{program} ended with {done.returncode}: {done.stdout[-2000:]} {done.stderr[-3000:]}")
    found: dict[str, Any] = json.loads(answer)
    return found
