"""Watches a cluster's partitions as its brokers tell them: was one ever below its minimum of replicas in sync?"""

from __future__ import annotations

import threading
from types import TracebackType

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

_BEAT_SECONDS = 0.2
_MIN_IN_SYNC = 2


class Watch:
    """Looks five times a second, until its block ends."""

    def __init__(self, bootstrap: str) -> None:
        self.looks = 0
        self.below_minimum: set[str] = set()
        self.leaderless: set[str] = set()
        self._admin = AdminClient({"bootstrap.servers": bootstrap, "socket.timeout.ms": 3000})
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join(30)

    def _watch(self) -> None:
        while not self._stop.wait(_BEAT_SECONDS):
            try:
                topics = self._admin.list_topics(timeout=3).topics
            except KafkaException:
                continue  # the broker that was asked is the one that a test killed
            self.looks += 1
            for name, topic in topics.items():
                for number, partition in topic.partitions.items():
                    if len(partition.isrs) < min(_MIN_IN_SYNC, len(partition.replicas)):
                        self.below_minimum.add(f"{name}/{number}: {partition.isrs} of {partition.replicas}")
                    if partition.leader < 0:
                        self.leaderless.add(f"{name}/{number}")
