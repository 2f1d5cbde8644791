"""A living cluster as its brokers tell it to a client of the tests' own, and what tests do to it from outside."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from kafka import TopicPartition
from kafka.admin import ConfigResource, ConfigResourceType, KafkaAdminClient, OffsetSpec
from kafka.errors import KafkaError

from hdictl.rebalance.snapshot import Broker, Partition, PartitionKey, Snapshot, make_snapshot

JOURNAL = "__hdictl_rebalance"
_ANSWER_SECONDS = 60.0
Found = TypeVar("Found")
Throttles = dict[tuple[str, str], dict[str, str]]  # ("broker", "1001") → the throttle settings found there


@dataclass(frozen=True)
class PartitionState:
    replicas: tuple[int, ...]
    isr: frozenset[int]
    leader: int


def wait_until(what: str, holds: Callable[[], bool], seconds: float = 120.0) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"not within {seconds:.0f} s: {what}"
        time.sleep(0.05)


class Living:
    def __init__(self, bootstrap: str) -> None:
        self.bootstrap = bootstrap
        self._client: KafkaAdminClient | None = None

    def close(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None

    def state(self) -> dict[PartitionKey, PartitionState]:
        """Every partition but the journal's: that one is the tool's own."""
        return {
            (topic["name"], part["partition_index"]): PartitionState(
                tuple(part["replica_nodes"]), frozenset(part["isr_nodes"]), part["leader_id"]
            )
            for topic in self._metadata()["topics"]
            if topic["name"] != JOURNAL
            for part in topic["partitions"]
        }

    def placement(self) -> dict[PartitionKey, tuple[int, ...]]:
        return {key: partition.replicas for key, partition in self.state().items()}

    def behind(self) -> set[PartitionKey]:
        return {key for key, partition in self.state().items() if partition.isr != set(partition.replicas)}

    def led_by_others(self) -> set[PartitionKey]:
        return {key for key, partition in self.state().items() if partition.leader != partition.replicas[0]}

    def snapshot(self, cluster: str) -> Snapshot:
        metadata, sizes = self._metadata(), self._sizes()
        partitions = [
            Partition(*key, state.replicas, tuple(sorted(state.isr)), sizes[key]) for key, state in self.state().items()
        ]
        living = {broker["node_id"] for broker in metadata["brokers"]}
        # A broker that is away and holds replicas is one of the cluster's nevertheless.
        brokers = [Broker(id) for id in living.union(*(partition.replicas for partition in partitions))]
        return make_snapshot(brokers, partitions, cluster=cluster, cluster_id=metadata["cluster_id"])

    def under_way(self) -> dict[PartitionKey, dict[str, Any]]:
        moving = self._asked(lambda client: client.list_partition_reassignments())
        return {(partition.topic, partition.partition): found for partition, found in moving.items()}

    def throttles(self) -> Throttles:
        return {
            (kind, name): throttled
            for answer in self._asked(_settings)
            for kind, resources in answer.items()
            for name, settings in resources.items()
            if (throttled := {key: each["value"] for key, each in settings.items() if "throttled" in key})
        }

    def set_throttle(self, kind: str, name: str, settings: Mapping[str, str | None]) -> None:
        operations = {key: ("DELETE", None) if value is None else ("SET", value) for key, value in settings.items()}
        resource = ConfigResource(ConfigResourceType[kind.upper()], name, operations)
        answer = self._asked(lambda client: client.alter_configs([resource], raise_on_unknown=False))
        assert answer == {kind: {name: "OK"}}
        # A broker hears of its own settings through ZooKeeper, a moment later.
        wait_until("the throttle is told", lambda: self._is_set(kind, name, settings))

    def _is_set(self, kind: str, name: str, settings: Mapping[str, str | None]) -> bool:
        found = self.throttles().get((kind, name), {})
        return all(found.get(key) == value for key, value in settings.items())

    def reassign(self, placement: Mapping[PartitionKey, tuple[int, ...] | None]) -> None:
        """None cancels."""
        request = {TopicPartition(*key): replicas and list(replicas) for key, replicas in placement.items()}
        answer = self._asked(lambda client: client.alter_partition_reassignments(request))
        assert not any(answer.values()), answer

    def elect(self) -> None:
        """The first replica of every partition becomes its leader."""
        self._asked(lambda client: client.elect_leaders(0))

    def journal_end(self) -> int:
        """How many records the journal has seen; 0 before there is one."""
        place = TopicPartition(JOURNAL, 0)
        if not any(topic["name"] == JOURNAL for topic in self._metadata()["topics"]):
            return 0
        found = self._asked(lambda client: client.list_partition_offsets({place: OffsetSpec.LATEST}))
        return int(found[place].offset)

    def _sizes(self) -> dict[PartitionKey, int]:
        """Of the largest replica: one that just came may lack some."""
        sizes: dict[PartitionKey, int] = {}
        for broker in self._asked(lambda client: client.describe_log_dirs()):
            for topic in (topic for folder in broker["log_dirs"] for topic in folder["topics"]):
                for part in topic["partitions"]:
                    key = (topic["name"], part["partition_index"])
                    sizes[key] = max(sizes.get(key, 0), part["partition_size"])
        return sizes

    def _metadata(self) -> dict[str, Any]:
        return self._asked(_metadata)

    def _asked(self, ask: Callable[[KafkaAdminClient], Found]) -> Found:
        """Again and again for a while: tests end brokers, and the next look finds a dead one, or no controller."""
        deadline = time.monotonic() + _ANSWER_SECONDS
        while True:
            try:
                return ask(self._connected())
            except KafkaError:
                self.close()
                if time.monotonic() > deadline:
                    raise
            time.sleep(0.2)

    def _connected(self) -> KafkaAdminClient:
        """One client for all questions: to make one takes longer than most answers."""
        if self._client is None:
            self._client = KafkaAdminClient(bootstrap_servers=self.bootstrap.split(","), request_timeout_ms=20_000)
        return self._client


def _metadata(client: KafkaAdminClient) -> dict[str, Any]:
    # describe_cluster() fails on Kafka 3.2: it expects a field of a later version.
    return client._manager.run(client._get_cluster_metadata, None)  # type: ignore[no-any-return]


def _settings(client: KafkaAdminClient) -> list[dict[str, Any]]:
    """What was set on topics and brokers. A broker tells its own settings, and nobody else's."""
    metadata = _metadata(client)
    topics = [ConfigResource(ConfigResourceType.TOPIC, topic["name"]) for topic in metadata["topics"]]
    brokers = [ConfigResource(ConfigResourceType.BROKER, str(broker["node_id"])) for broker in metadata["brokers"]]
    return [
        client.describe_configs(resources, config_filter="modified")
        for resources in (topics, *([broker] for broker in brokers))
    ]
