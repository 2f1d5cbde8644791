"""Offsets of topics and groups, through kafka-python, which goes through a proxy as well."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from hdictl.drivers.kafka.admin import open_client, reason
from hdictl.drivers.kafka.record_times import written_at
from hdictl.errors import KafkaRejected, KafkaUnreachable
from hdictl.ports.kafka import Endpoint
from hdictl.ports.offsets import Offsets

_COORDINATOR_SECONDS = 30.0
_PAUSE_SECONDS = 0.2
_Given = TypeVar("_Given")


@contextmanager
def connect(endpoint: Endpoint) -> Iterator[KafkaOffsets]:
    from kafka import KafkaConsumer
    from kafka.errors import KafkaError

    where = f"cluster `{endpoint.cluster}` at {endpoint.bootstrap}"
    with open_client(endpoint) as admin:
        try:
            consumer = KafkaConsumer(
                bootstrap_servers=endpoint.bootstrap.split(","),
                client_id="hdictl",
                group_id=None,
                enable_auto_commit=False,
                proxy_url=endpoint.proxy,
            )
        except (KafkaError, OSError, ValueError) as error:
            raise KafkaUnreachable(
                f"no broker answers ({reason(error)})", where=where, fix="see that it runs: hdictl status"
            ) from error
        try:
            yield KafkaOffsets(admin, consumer)
        except KafkaError as error:
            raise KafkaRejected(reason(error), where=where, fix="see the brokers: hdictl status") from error
        finally:
            consumer.close()


class KafkaOffsets:
    """An `OffsetWriter`."""

    def __init__(
        self,
        admin: Any,
        consumer: Any,
        *,
        pause: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._admin = admin
        self._consumer = consumer
        self._pause = pause
        self._clock = clock

    def ends(self, topics: Iterable[str]) -> Offsets:
        return _grouped(self._consumer.end_offsets(self._partitions(topics)))

    def beginnings(self, topics: Iterable[str]) -> Offsets:
        return _grouped(self._consumer.beginning_offsets(self._partitions(topics)))

    def at(self, topics: Iterable[str], moment_ms: int) -> Offsets:
        places = self._partitions(topics)
        found = self._consumer.offsets_for_times(dict.fromkeys(places, moment_ms))
        ends = self._consumer.end_offsets(places)
        return _grouped({place: ends[place] if found[place] is None else found[place].offset for place in places})

    def committed(self, group: str) -> Offsets:
        found = self._of_coordinator(lambda: self._admin.list_group_offsets({group: None}))
        places = found.get(group, found)
        return _grouped({place: each.offset for place, each in places.items() if each.offset >= 0})

    def commit(self, group: str, offsets: Offsets) -> None:
        from kafka import TopicPartition
        from kafka.structs import OffsetAndMetadata

        places = {
            TopicPartition(topic, partition): OffsetAndMetadata(offset, "", -1)
            for topic, partitions in offsets.items()
            for partition, offset in partitions.items()
        }

        def alter() -> None:
            # What went wrong with a partition is in the answer, and not raised.
            for error in self._admin.alter_group_offsets(group, places).values():
                if error.errno:
                    raise error(f"group `{group}`")

        self._of_coordinator(alter)

    def times(self, offsets: Offsets) -> Mapping[str, Mapping[int, int]]:
        from kafka import TopicPartition

        wanted = {TopicPartition(topic, number): at for topic, parts in offsets.items() for number, at in parts.items()}
        ends, begins = self._consumer.end_offsets(list(wanted)), self._consumer.beginning_offsets(list(wanted))
        # What retention has taken away waits no more: the first that is left does.
        waiting = {
            place: max(at, begins[place]) for place, at in wanted.items() if max(at, begins[place]) < ends[place]
        }
        return _grouped(written_at(waiting, self._first_after, round(time.time() * 1000)))

    def _first_after(self, moments: Mapping[Any, int]) -> Mapping[Any, int | None]:
        found = self._consumer.offsets_for_times({place: max(0, moment) for place, moment in moments.items()})
        return {place: None if at is None else at.offset for place, at in found.items()}

    def topic_ids(self, topics: Iterable[str]) -> Mapping[str, str]:
        metadata = self._admin._manager.run(self._admin._get_cluster_metadata, list(topics))
        return {topic["name"]: _kafka_id(topic["topic_id"]) for topic in metadata["topics"] if topic["error_code"] == 0}

    def _of_coordinator(self, ask: Callable[[], _Given]) -> _Given:
        """A new cluster makes its topic of groups when it is first asked, and says meanwhile that nobody is there."""
        from kafka.errors import CoordinatorLoadInProgressError, CoordinatorNotAvailableError, NotCoordinatorError

        deadline = self._clock() + _COORDINATOR_SECONDS
        while True:
            try:
                return ask()
            except (CoordinatorLoadInProgressError, CoordinatorNotAvailableError, NotCoordinatorError):
                if self._clock() > deadline:
                    raise
            self._pause(_PAUSE_SECONDS)

    def _partitions(self, topics: Iterable[str]) -> list[Any]:
        from kafka import TopicPartition

        places = []
        for topic in dict.fromkeys(topics):
            numbers = self._consumer.partitions_for_topic(topic)
            if not numbers:
                raise KafkaRejected(
                    f"there is no topic `{topic}`", where="kafka", fix="list them: hdictl topics list; make it: apply"
                )
            places += [TopicPartition(topic, number) for number in sorted(numbers)]
        return places


def _kafka_id(value: Any) -> str:
    """As Kafka's own tools write it: base64 without padding, and safe in a path."""
    import base64

    raw = value.bytes if isinstance(value, uuid.UUID) else uuid.UUID(str(value)).bytes
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _grouped(found: Mapping[Any, int]) -> dict[str, dict[int, int]]:
    grouped: dict[str, dict[int, int]] = {}
    for place, value in sorted(found.items()):
        grouped.setdefault(place.topic, {})[place.partition] = value
    return grouped
