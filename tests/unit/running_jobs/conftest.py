"""A job of a small pipeline, and whoever runs it."""

from __future__ import annotations

from pathlib import Path

import pytest

from hdictl.workflow.jobs.bound import BoundJob
from tests.fakes.jobs import FakeJobs, bound_job
from tests.fakes.small_pipeline import BINDING, PIPELINE, write_pipeline


@pytest.fixture
def driver(tmp_path: Path) -> FakeJobs:
    return FakeJobs(tmp_path / "folder")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_pipeline(tmp_path)
    archive = {"archive": {"transform": "archive.sql", "sink": "files"}}
    sinks = {**PIPELINE["sinks"], "files": {"format": "parquet"}}
    write_pipeline(tmp_path, {**PIPELINE, "name": "both", "flows": {**PIPELINE["flows"], **archive}, "sinks": sinks})
    return tmp_path


@pytest.fixture
def bound(folder: Path) -> BoundJob:
    return bound_job("orders", folder, **BINDING)
