"""Moves replicas and leaders of a living cluster, and slows them down."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

from hdictl.drivers.kafka.admin import open_client
from hdictl.drivers.kafka.placement import KafkaPlacement, by_topic
from hdictl.errors import KafkaRejected
from hdictl.ports.kafka import Endpoint
from hdictl.rebalance.snapshot import PartitionKey

_REQUEST_MS = 15_000  # shorter than a lease: who waits for a broker still knows that nobody else is at work
_PORTION = 200  # partitions in one request: the controller writes each to ZooKeeper before it answers
_NOT_MOVING = 85
_ALREADY_LEADS = 84
_PREFERRED = 0


@contextmanager
def connect(endpoint: Endpoint) -> Iterator[KafkaReassignment]:
    with open_client(endpoint, _REQUEST_MS) as client:
        yield KafkaReassignment(client, endpoint)


class KafkaReassignment(KafkaPlacement):
    """A `PlacementWriter`."""

    def reassign(self, targets: Mapping[PartitionKey, tuple[int, ...] | None]) -> Mapping[PartitionKey, str]:
        refused: dict[PartitionKey, str] = {}
        for part in _portions(targets):
            answer = self._calls.controller(partial(_reassign, {key: targets[key] for key in part}))
            if answer.error_code:
                raise KafkaRejected(answer.error_message or _name(answer.error_code), where=self._where)
            for topic in answer.responses:
                for each in topic.partitions:
                    # Called off although it is over already: nothing is left to call off.
                    if each.error_code not in (0, _NOT_MOVING):
                        why = each.error_message or _name(each.error_code)
                        refused[(topic.name, each.partition_index)] = why
        return refused

    def elect(self, partitions: Collection[PartitionKey]) -> Mapping[PartitionKey, str]:
        refused: dict[PartitionKey, str] = {}
        for part in _portions(partitions):
            answer = self._calls.controller(partial(_elect, part))
            for topic in answer.replica_election_results:
                for each in topic.partition_result:
                    if each.error_code not in (0, _ALREADY_LEADS):
                        why = each.error_message or _name(each.error_code)
                        refused[(topic.topic, each.partition_id)] = why
        return refused


def _reassign(targets: Mapping[PartitionKey, tuple[int, ...] | None]) -> Any:
    from kafka.protocol.admin import AlterPartitionReassignmentsRequest

    kind = AlterPartitionReassignmentsRequest.ReassignableTopic
    topics: dict[str, list[Any]] = defaultdict(list)
    for (topic, partition), replicas in targets.items():
        listed = None if replicas is None else list(replicas)
        topics[topic].append(kind.ReassignablePartition(partition_index=partition, replicas=listed))
    return AlterPartitionReassignmentsRequest(
        timeout_ms=_REQUEST_MS, topics=[kind(name=name, partitions=members) for name, members in topics.items()]
    )


def _elect(partitions: Collection[PartitionKey]) -> Any:
    from kafka.protocol.admin import ElectionType, ElectLeadersRequest

    return ElectLeadersRequest(
        election_type=ElectionType(_PREFERRED),
        topic_partitions=list(by_topic(partitions).items()),
        timeout_ms=_REQUEST_MS,
    )


def _portions(keys: Collection[PartitionKey]) -> Iterator[list[PartitionKey]]:
    ordered = sorted(keys)
    for start in range(0, len(ordered), _PORTION):
        yield ordered[start : start + _PORTION]


def _name(code: int) -> str:
    from kafka.errors import for_code

    return str(for_code(code).__name__).removesuffix("Error")
