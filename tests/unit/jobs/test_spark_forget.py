"""What a job keeps on this machine, and how it is forgotten."""

from __future__ import annotations

import pytest

from hdictl import assets
from hdictl.drivers.locks import lock
from hdictl.drivers.spark.runner import SparkLocal
from hdictl.errors import Locked
from hdictl.streaming.job import JobSpec

JOB = JobSpec("activity", assets.pipeline("page_activity"), "broker:9092", {}, {})


def test_a_forgotten_job_begins_at_the_beginning(tmp_path):
    runner = SparkLocal(tmp_path / "jobs", cache=tmp_path)
    files = runner.files(JOB)
    (files.storage / "checkpoints" / "q").mkdir(parents=True)
    files.progress.write_text("{}\n")
    files.log.write_text("why it failed")
    runner.forget(JOB)
    assert not files.storage.exists()
    assert not files.progress.exists()
    assert files.log.exists()  # of use to whoever looks for a reason, and in nobody's way
    runner.forget(JOB)


def test_a_running_job_is_not_forgotten(tmp_path):
    runner = SparkLocal(tmp_path / "jobs", cache=tmp_path)
    with lock(runner.files(JOB).folder / "run.lock", "job"), pytest.raises(Locked):
        runner.forget(JOB)
