"""A Delta sink, with the jar that `delta: true` brings along: each row once, also when the driver was killed."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from hdictl.ports.job_driver import RUNNING
from hdictl.ports.progress import Silent
from hdictl.streaming.outcomes import RESTARTED
from hdictl.workflow.jobs.lag import job_lag
from hdictl.workflow.jobs.stop import stop_job
from tests.acceptance.jobs.orders import Orders, submit
from tests.acceptance.jobs.site import local_site
from tests.acceptance.jobs.tables import ids_in
from tests.fakes.small_pipeline import PIPELINE, write_pipeline
from tests.waiting import PATIENCE, until

LAKE = {**PIPELINE, "name": "lake", "sinks": {"out": {"format": "delta"}, "dead": {}}}


@pytest.mark.slow
def test_each_row_is_in_the_table_once(orders: Orders, tmp_path: Path):
    write_pipeline(tmp_path, LAKE)
    with local_site(tmp_path / "jobs") as site:
        driver = site.driver()
        bound = orders.bound(pipeline="lake", writes={"dead": "dead"}, delta=True, max_offsets_per_trigger=50)
        orders.send(100)
        made = submit(driver, bound)
        assert made.status.id is not None
        os.kill(int(made.status.id), signal.SIGKILL)
        until(lambda: driver.find("orders").state != RUNNING)
        orders.send(100)
        submit(driver, bound)
        with orders.offsets() as kafka:
            until(lambda: all(each.records == 0 for each in job_lag(driver, bound, kafka)))
        # What has changed is compared before it is stopped, by a Spark that knows the format too.
        changed = orders.bound(pipeline="lake", writes={"dead": "dead"}, delta=True, trigger="1s")
        assert submit(driver, changed).action == RESTARTED
        assert not stop_job(driver, "orders", Silent(), timeout=PATIENCE).was_killed
        table = driver.files("orders").storage / "tables" / "out"
        assert (table / "_delta_log").is_dir()
        assert ids_in(table, "delta", tmp_path) == sorted(f"o-{number}" for number in range(orders.sent))
