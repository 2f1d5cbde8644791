"""The surroundings, on whatever Python this is: see `surroundings`."""

from __future__ import annotations

import json
import os
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

JOBS = Path(__file__).parents[3] / "jobs"


@lru_cache(maxsize=None)
def pipelines() -> dict[str, Any]:
    """Name → the job's document."""
    if "HDICTL_SURROUNDINGS" in os.environ:
        return _written("pipelines")
    from tests.acceptance.streamkit import surroundings

    return surroundings.pipelines()


@lru_cache(maxsize=None)
def spark() -> dict[str, Any]:
    if "HDICTL_SURROUNDINGS" in os.environ:
        return _written("spark")
    from tests.acceptance.streamkit import surroundings

    return surroundings.spark_of(Path(sys.executable))


def _written(part: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(os.environ["HDICTL_SURROUNDINGS"]).read_text(encoding="utf-8"))[part]
    return found
