"""The small pipeline on topics of its own: what is sent, and what came."""

from __future__ import annotations

import itertools
import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hdictl.drivers.kafka import admin, offsets
from hdictl.drivers.kafka.records import KafkaRecords
from hdictl.ports.job_driver import JobDriver
from hdictl.ports.kafka import Endpoint, NewTopic
from hdictl.ports.machine import ClusterStatus
from hdictl.ports.progress import Silent
from hdictl.stack.model import Stack
from hdictl.streaming.outcomes import Submitted
from hdictl.workflow.jobs.bound import BoundJob, bind
from hdictl.workflow.jobs.submit import submit_job
from hdictl.workflow.jobs.succession import comparison
from tests.fakes.small_pipeline import BINDING, write_pipeline
from tests.waiting import until

PARTITIONS = 2
TOPICS = ("orders", "out", "dead", "other")
QUERIES = ("passed", "orders_dead_letters")
_numbers = itertools.count(time.time_ns() % 10**6)


class Orders:
    """Topics of this test alone, what is sent to them, and what came."""

    def __init__(self, kafka: ClusterStatus, folder: Path) -> None:
        self.endpoint = Endpoint(kafka.cluster, kafka.bootstrap)
        self.stack = f"t{next(_numbers)}"
        self.folder = folder
        self.records = KafkaRecords(self.endpoint)
        self.sent = 0
        self._admin = admin.connect(self.endpoint)
        write_pipeline(folder)

    def topic(self, name: str) -> str:
        return f"{self.stack}-{name}"

    def __enter__(self) -> Orders:
        self._kafka = self._admin.__enter__()
        self.make(*map(self.topic, TOPICS))
        return self

    def __exit__(self, *reason: Any) -> None:
        self.unmake(*map(self.topic, TOPICS))
        self._admin.__exit__(*reason)

    def make(self, *names: str) -> None:
        new = [NewTopic(name, ((1001, 1002, 1003),) * PARTITIONS, {}) for name in names]
        # One that was deleted a moment ago is still there for a while, whatever the brokers say of it.
        until(lambda: not any(self._kafka.create_topics(new).values()))
        self._kafka.settle(dict.fromkeys(names, PARTITIONS))

    def unmake(self, *names: str) -> None:
        self._kafka.delete_topics(names)
        self._kafka.settle(dict.fromkeys(names, 0))

    def bound(self, name: str = "orders", **more: Any) -> BoundJob:
        """A job of a stack that has these topics."""
        job = {"pipeline": "orders", "cluster": "jobs", **BINDING, **more}
        stack = Stack.model_validate(
            {
                "stack": self.stack,
                "clusters": {"ingest": {"kind": "kafka"}, "jobs": {"kind": "spark"}},
                "topics": {
                    **{key: {"name": self.topic(key)} for key in TOPICS},
                    "nowhere": {"name": "there-is-no-such-topic"},
                },
                "jobs": {name: job},
            }
        )
        return bind(stack, name, _Target(self.endpoint), self.folder)

    def send(self, count: int) -> None:
        """So many more good orders."""
        numbers = range(self.sent, self.sent + count)
        self.records.write(self.topic("orders"), ((b"%d" % n, _order(n)) for n in numbers))
        self.sent += count

    def send_bad(self, *values: str) -> None:
        self.records.write(self.topic("orders"), ((b"bad", value.encode()) for value in values))

    @contextmanager
    def offsets(self) -> Iterator[offsets.KafkaOffsets]:
        with offsets.connect(self.endpoint) as kafka:
            yield kafka

    def count(self, name: str) -> int:
        with self.offsets() as kafka:
            topic = self.topic(name)
            ends, begins = kafka.ends([topic])[topic], kafka.beginnings([topic])[topic]
            return sum(ends[number] - begins[number] for number in ends)

    def read(self, name: str) -> list[Any]:
        return list(self.records.read(self.topic(name), from_beginning=True, limit=None, follow=False))

    def came(self) -> Counter[str]:
        """Event id → how often it came."""
        return Counter(dict(record.headers)["event_id"].decode() for record in self.read("out"))

    def wanted(self) -> set[str]:
        return {f"orders|passed|o-{number}" for number in range(self.sent)}


def submit(driver: JobDriver, bound: BoundJob) -> Submitted:
    """As the command does: before a stop, Kafka is asked too."""
    compare = comparison(lambda cluster: offsets.connect(Endpoint(cluster, bound.spec.bootstrap)))
    return submit_job(driver, bound, Silent(), compare=compare)


class _Target:
    """A `Target` of which only what a job is bound by is there."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    def endpoint(self, _cluster: str) -> Endpoint:
        return self._endpoint


def _order(number: int) -> bytes:
    return json.dumps({"id": f"o-{number}", "amount": number}).encode()
