"""Names at a real Livy: held by somebody else, by a phantom, by a batch that is over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from hdictl.errors import JobExists, LivyFailed
from hdictl.ports.job_driver import JobDriver, LivingJob
from hdictl.ports.progress import Silent
from hdictl.streaming.state import STOP, SUBMITTED
from hdictl.workflow.jobs.bound import BoundJob
from hdictl.workflow.jobs.package import to_package
from hdictl.workflow.jobs.status import status_of
from tests.acceptance.jobs.orders import submit
from tests.acceptance.jobs.site import PREFIX, LivySite, livy_site
from tests.acceptance.livy.server import LivyServer
from tests.acceptance.livy.site import HEADER, RealSite, request
from tests.fakes.jobs import bound_job
from tests.fakes.livy import Job
from tests.fakes.small_pipeline import BINDING, write_pipeline
from tests.waiting import until


@pytest.fixture
def site(livy: LivyServer, tmp_path: Path) -> Iterator[LivySite]:
    write_pipeline(tmp_path)
    with livy_site(livy, tmp_path.name) as found:
        yield found


@pytest.fixture
def name(site: LivySite) -> str:
    return f"{PREFIX}-{site.folder.name}-orders"


def launch(driver: JobDriver, bound: BoundJob) -> LivingJob:
    return driver.stage(to_package(driver, bound), Silent()).start(Silent())


def test_somebody_elses_batch_of_the_name_is_left_alone(site, livy, name, tmp_path):
    batch = site.client.submit(request(RealSite(livy).add("theirs", Job(code=None)), name))
    driver, bound = site.driver(), bound_job("orders", tmp_path, **BINDING)
    with pytest.raises(JobExists, match=rf"{batch.id} is starting under this name, and was not submitted from here"):
        submit(driver, bound)
    with pytest.raises(JobExists, match=rf"batch {batch.id} is "):
        launch(driver, bound)
    assert [each.id for each in site.client.batches() if each.name == name] == [batch.id]
    with driver.storage("orders") as storage:
        assert (storage.read(STOP), storage.read(SUBMITTED)) == (None, None)


def test_a_phantom_is_nobody_and_makes_room(site, livy, name, tmp_path):
    assert requests.post(f"{livy.root}/batches", json={"name": name}, headers=HEADER, timeout=30).status_code == 400
    phantom = site.client.batch(name)
    assert phantom.looks_phantom
    driver = site.driver()
    assert driver.find("orders") is None
    assert status_of(driver, "orders", "orders").state == "absent"
    made = launch(driver, bound_job("orders", tmp_path, **BINDING))
    assert (site.client.batch(phantom.id), site.client.batch(name).id) == (None, int(made.id))
    assert not driver.kill("orders", str(int(made.run) + 1))
    assert driver.kill("orders", made.run)
    assert driver.find("orders") is None
    assert not driver.kill("orders", made.run)


def test_one_that_is_over_makes_room(site, livy, name, tmp_path):
    site.client.submit(request(str(livy.jobs / "nowhere.py"), name))
    until(lambda: site.client.batch(name).is_over)
    driver = site.driver()
    launch(driver, bound_job("orders", tmp_path, **BINDING))
    assert not site.client.batch(name).is_over


def test_files_that_livy_does_not_take_are_told_and_leave_no_phantom(site, name, tmp_path):
    """As a cluster does with every path that is not in its storage."""
    outside = LivySite(site._livy, site.client, tmp_path / site.folder.name)
    driver = outside.driver()
    with pytest.raises(LivyFailed, match="cannot be added to user sessions") as failure:
        submit(driver, bound_job("orders", tmp_path, **BINDING))
    assert "abfs://" in failure.value.fix
    assert site.client.batch(name) is None
    assert status_of(driver, "orders", "orders").state == "absent"
