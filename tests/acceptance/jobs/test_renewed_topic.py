"""A topic that is made anew under a running job: what would be refused at its start is refused before the stop."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from hdictl.errors import JobRefused
from hdictl.workflow.jobs.status import status_of
from tests.acceptance.jobs.orders import Orders, submit
from tests.acceptance.jobs.site import family, local_site
from tests.waiting import until


@pytest.mark.slow
def test_it_is_told_and_the_run_at_work_is_left_alone(orders: Orders, tmp_path: Path):
    with local_site(tmp_path / "jobs") as site:
        driver = site.driver()
        orders.send(20)
        made = submit(driver, orders.bound())
        until(lambda: orders.count("out") >= 20)
        # It sleeps meanwhile: a run that sees its topic go ends by itself.
        machines = [process for process in family(site.folder / "orders") if process.name() == "java"]
        for process in machines:
            process.send_signal(signal.SIGSTOP)
        orders.unmake(orders.topic("orders"))
        orders.make(orders.topic("orders"))
        orders.send(50)
        with pytest.raises(JobRefused, match=r"the run at work was left alone: .*was deleted and made anew") as failure:
            submit(driver, orders.bound(parameters={"factor": 2}))
        assert "checkpoint reset" in (failure.value.fix or "")
        status = status_of(driver, "orders", "orders")
        assert (status.id, status.state) == (made.status.id, "running")
