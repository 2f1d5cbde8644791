"""Pipelines on this machine: which ones, and how their trials go."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hdictl.drivers.pipeline_folders import find_pipeline, own_pipelines, shipped_pipelines, write_expected
from hdictl.drivers.spark.trial import TrialRunner
from hdictl.ports.progress import Progress
from hdictl.streaming.pipeline import Pipeline, load
from hdictl.streaming.trial import Trial, to_letters

_KEPT_COUNTS = ("valid", "dead", "tombstones", "late_rows", "duplicate_rows", "output_rows")


def chosen(names: Sequence[str] | None, beside: Path) -> list[Pipeline]:
    """Those that are named; else all that are beside the stack; else all that ship."""
    folders = [find_pipeline(name, beside) for name in names or ()]
    return [load(folder) for folder in folders or own_pipelines(beside) or shipped_pipelines()]


def tried(pipelines: Sequence[Pipeline], runner: TrialRunner, progress: Progress, *, update: bool) -> list[Trial]:
    trials = []
    for pipeline in pipelines:
        progress.step(f"trying {pipeline.document.name}")
        trial, found = runner.run(pipeline, progress)
        if update:
            write_expected(pipeline.folder, _rows(found), _counts(found))
            trial, _found = runner.run(pipeline, progress)
        trials.append(trial)
    return trials


def _rows(found: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    rows = {name: each["rows"] for name, each in found.items() if each["role"] == "output"}
    return {**rows, "dead_letters": to_letters(found)}


def _counts(found: Mapping[str, Any]) -> str:
    """One line a flow."""
    lines = []
    for name, each in found.items():
        if each["role"] == "output":
            counts = {amount: each["totals"].get(amount, 0) for amount in _KEPT_COUNTS}
            lines.append(f"  {json.dumps(name)}: {json.dumps(counts)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"
