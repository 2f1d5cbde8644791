"""Where the replicas of a living cluster are, what they weigh, and which of them are on the move."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import reduce
from typing import Any

from hdictl.drivers.kafka.admin import require_pinned
from hdictl.drivers.kafka.calls import BrokerCalls
from hdictl.drivers.kafka.throttle_settings import ThrottleSettings
from hdictl.errors import KafkaRejected
from hdictl.ports.kafka import Endpoint
from hdictl.ports.reassignment import Placement
from hdictl.rebalance.journal import TOPIC
from hdictl.rebalance.placed import Ongoing, Placed
from hdictl.rebalance.snapshot import PartitionKey

_REQUEST_MS = 15_000


class KafkaPlacement(ThrottleSettings):
    """A `PlacementReader`."""

    def __init__(self, client: Any, endpoint: Endpoint) -> None:
        super().__init__(BrokerCalls(client, endpoint), f"cluster `{endpoint.cluster}`")
        self._endpoint = endpoint

    def placement(self) -> Placement:
        answer = self._calls.controller(_all_topics)
        require_pinned(self._endpoint, answer.cluster_id)
        return _placement(answer)

    def agreed(self) -> Placement:
        overview = self._calls.overview()
        answers, _ = self._calls.each({broker.node_id: _all_topics() for broker in overview.brokers})
        views = {broker: _placement(answer) for broker, answer in answers.items()}
        if overview.controller_id not in views:
            return self.placement()
        first = views.pop(overview.controller_id)
        agreed = reduce(_agreed, (view.partitions for view in views.values()), first.partitions)
        return Placement(first.cluster_id, first.controller, first.racks, agreed)

    def living(self) -> frozenset[int]:
        return frozenset(broker.node_id for broker in self._calls.overview().brokers)

    def sizes(
        self, brokers: Collection[int] | None = None, partitions: Collection[PartitionKey] | None = None
    ) -> Mapping[int, Mapping[PartitionKey, int]]:
        from kafka.protocol.admin import DescribeLogDirsRequest

        topics = None if partitions is None else list(by_topic(partitions).items())
        wanted = self.living() if brokers is None else brokers
        answers, _ = self._calls.each({broker: DescribeLogDirsRequest(topics=topics) for broker in wanted})
        return {broker: _sizes(answer) for broker, answer in answers.items()}

    def ongoing(self) -> Mapping[PartitionKey, Ongoing]:
        from kafka.protocol.admin import ListPartitionReassignmentsRequest

        answer = self._calls.controller(lambda: ListPartitionReassignmentsRequest(timeout_ms=_REQUEST_MS, topics=None))
        if answer.error_code:
            raise KafkaRejected(answer.error_message or f"error {answer.error_code}", where=self._where)
        return {
            (topic.name, partition.partition_index): Ongoing(
                tuple(partition.replicas), tuple(partition.adding_replicas), tuple(partition.removing_replicas)
            )
            for topic in answer.topics
            for partition in topic.partitions
            if topic.name != TOPIC
        }


def by_topic(partitions: Iterable[PartitionKey]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for topic, partition in partitions:
        found[topic].append(partition)
    return found


def _all_topics() -> Any:
    from kafka.protocol.metadata import MetadataRequest

    return MetadataRequest(topics=None, allow_auto_topic_creation=False)


def _placement(answer: Any) -> Placement:
    return Placement(
        cluster_id=answer.cluster_id,
        controller=answer.controller_id,
        racks={broker.node_id: broker.rack for broker in sorted(answer.brokers, key=lambda broker: broker.node_id)},
        partitions={
            (topic.name, partition.partition_index): Placed(
                tuple(partition.replica_nodes),
                frozenset(partition.isr_nodes),
                partition.leader_id if partition.leader_id >= 0 else None,
            )
            for topic in answer.topics
            for partition in topic.partitions
            if topic.name != TOPIC
        },
    )


def _agreed(one: Mapping[PartitionKey, Placed], other: Mapping[PartitionKey, Placed]) -> Mapping[PartitionKey, Placed]:
    agreed = {}
    for key, placed in one.items():
        also = other.get(key, Placed((), frozenset(), None))
        agreed[key] = Placed(
            placed.replicas if placed.replicas == also.replicas else (),
            placed.isr & also.isr,
            placed.leader if placed.leader == also.leader else None,
        )
    return agreed


def _sizes(answer: Any) -> dict[PartitionKey, int]:
    """A directory with an error lists nothing: its replicas are out of sync anyway, and nothing is moved from them."""
    found: dict[PartitionKey, int] = {}
    for directory in answer.results:
        for topic in directory.topics:
            for partition in topic.partitions:
                if not partition.is_future_key and topic.name != TOPIC:
                    found[(topic.name, partition.partition_index)] = partition.partition_size
    return found
