"""A driver that is killed again and again, at moments that nobody chose, and what came of its records.

The tests use it with few kills, the bench and `make soak` with twenty.
"""

from __future__ import annotations

import os
import random
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from hdictl.drivers.spark.background import LocalJobs
from hdictl.ports.job_driver import RUNNING
from hdictl.ports.progress import Silent
from hdictl.workflow.jobs.bound import BoundJob
from hdictl.workflow.jobs.checkpoints import read_checkpoints
from hdictl.workflow.jobs.lag import job_lag
from hdictl.workflow.jobs.package import to_package
from hdictl.workflow.jobs.stop import stop_job
from tests.acceptance.jobs.orders import Orders
from tests.acceptance.jobs.site import local_site
from tests.acceptance.jobs.tables import ids_in
from tests.fakes.small_pipeline import PIPELINE, write_pipeline
from tests.waiting import PATIENCE, until

OF_ONE_LIFE = 300  # records
BOTH = {
    **PIPELINE,
    "name": "both",
    "flows": {**PIPELINE["flows"], "archive": {"transform": "archive.sql", "sink": "files"}},
    "sinks": {**PIPELINE["sinks"], "files": {"format": "parquet"}},
    "trigger": "100ms",
}


@dataclass(frozen=True)
class Killed:
    """What came of all records in the end."""

    kills: int
    records: int
    archived: list[str]  # ids in Parquet, in their order
    values: dict[str, set[bytes]]  # event id → what came to Kafka under it
    copies: int  # that came to Kafka again

    @property
    def lost(self) -> int:
        return self.records - len(self.values)

    @property
    def doubled(self) -> int:
        """In Parquet."""
        return len(self.archived) - len(set(self.archived))

    @property
    def lost_in_parquet(self) -> int:
        return self.records - len(set(self.archived))

    @property
    def unlike(self) -> int:
        """Copies that are not the same."""
        return sum(len(each) - 1 for each in self.values.values())


def killed(orders: Orders, folder: Path, kills: int, seed: int) -> Killed:
    write_pipeline(folder, BOTH)
    chance = random.Random(seed)
    with local_site(folder / "jobs") as site:
        driver = site.driver()
        bound = orders.bound(pipeline="both", max_offsets_per_trigger=100)
        orders.send(OF_ONE_LIFE * kills)
        for number in range(kills):
            driver.stage(to_package(driver, bound), Silent()).start(Silent())
            # Somewhere in the first batches of this life, or between two; but one in four while it starts, and every
            # other one with a batch that is written and not yet noted as done.
            if number % 2 == 1:
                await_open_batch(driver, orders)
            else:
                await_batches(driver, 0 if number % 4 == 2 else chance.randint(1, 3))
                time.sleep(chance.uniform(0, 0.7))
            os.kill(int(driver.find("orders").id), signal.SIGKILL)
            until(lambda: driver.find("orders").state != RUNNING)
            orders.send(OF_ONE_LIFE // 3)
        driver.stage(to_package(driver, bound), Silent()).start(Silent())
        until(lambda: has_caught_up(driver, bound, orders), PATIENCE + OF_ONE_LIFE * kills / 20)
        assert not stop_job(driver, "orders", Silent(), timeout=PATIENCE).was_killed
        archived = ids_in(driver.files("orders").storage / "tables" / "files", "parquet", folder)
    values: dict[str, set[bytes]] = {}
    copies = 0
    for record in orders.read("out"):
        found = values.setdefault(dict(record.headers)["event_id"].decode(), set())
        copies += bool(found)
        found.add(record.value)
    return Killed(kills, orders.sent, archived, values, copies)


def await_batches(driver: LocalJobs, more: int) -> None:
    begun = begun_batches(driver)
    until(lambda: begun_batches(driver) >= begun + more)


def begun_batches(driver: LocalJobs) -> int:
    with driver.storage("orders") as storage:
        return sum(each.begun for each in read_checkpoints(storage) if each.query in ("passed", "archive"))


def await_open_batch(driver: LocalJobs, orders: Orders) -> None:
    """Something came for which there is no commit. What came is looked at first, so that a commit is not overlooked."""
    topic = orders.topic("out")
    with orders.offsets() as kafka:
        before = sum(kafka.ends([topic])[topic].values()) - committed(driver)
        until(lambda: sum(kafka.ends([topic])[topic].values()) - committed(driver) > before, pause=0.005)


def committed(driver: LocalJobs) -> int:
    with driver.storage("orders") as storage:
        found = {each.query: each for each in read_checkpoints(storage)}
    return sum(sum(parts.values()) for parts in found["passed"].offsets.values()) if "passed" in found else 0


def has_caught_up(driver: LocalJobs, bound: BoundJob, orders: Orders) -> bool:
    with orders.offsets() as kafka:
        found = job_lag(driver, bound, kafka)
    return len(found) == 3 and not any(each.records for each in found)
