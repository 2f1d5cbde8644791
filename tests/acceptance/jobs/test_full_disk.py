"""A disk that fills up under a running job: one clear message, and it goes on when there is room again."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from hdictl.ports.progress import Silent
from hdictl.streaming.state import FAILED, RUNNING, STOPPING
from hdictl.workflow.jobs.lag import job_lag
from hdictl.workflow.jobs.status import status_of
from hdictl.workflow.jobs.stop import stop_job
from tests.acceptance.jobs.orders import Orders, submit
from tests.acceptance.jobs.site import local_site
from tests.waiting import PATIENCE, until

MEGABYTES = 24


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "tmpfs", str(place)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("A FULL DISK IS NOT TRIED: only root can make a small file system, and not everywhere")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


@pytest.mark.slow
def test_a_disk_that_fills_up_is_told_and_nothing_is_lost(orders: Orders, small_disk: Path):
    with local_site(small_disk / "jobs") as site:
        driver, bound = site.driver(), orders.bound()
        orders.send(50)
        submit(driver, bound)
        until(lambda: orders.count("out") >= 50)
        ballast = small_disk / "ballast"
        with ballast.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"x" * 4096)
            except OSError:
                pass
        orders.send(50)
        # Not when its command line is gone: a process loses that first, and is there for a moment longer.
        until(lambda: status_of(driver, "orders", "orders").state not in (RUNNING, STOPPING))
        status = status_of(driver, "orders", "orders")
        assert status.state == FAILED
        assert status.board is not None
        assert "the disk is full" in (status.board.error or "")
        assert "make room" in (status.board.fix or "")
        assert "Traceback" not in (status.board.error or "")

        ballast.unlink()
        submit(driver, bound)
        with orders.offsets() as kafka:
            until(lambda: not any(each.records for each in job_lag(driver, bound, kafka)))
        assert not stop_job(driver, "orders", Silent(), timeout=PATIENCE).was_killed
        assert set(orders.came()) == orders.wanted()
