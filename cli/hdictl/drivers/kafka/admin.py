"""Topics of a living cluster, read and written through kafka-python.

kafka-python is the one client with reassignment, log-directory sizes and SOCKS. Its quirks are kept in this file.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from hdictl.drivers.kafka.health import read_health
from hdictl.errors import HdictlError, KafkaRejected, KafkaUnreachable, StrangeCluster
from hdictl.plan.observed import Assignment, ObservedBroker, ObservedCluster, ObservedTopic
from hdictl.ports.health import KafkaHealth
from hdictl.ports.kafka import Endpoint, NewTopic
from hdictl.rebalance.journal import TOPIC

_BOOTSTRAP_MS = 10_000
_REQUEST_MS = 60_000
_CONFIG_BATCH = 500  # topics in one DescribeConfigs request
_SETTLE_SECONDS = 60.0
_PAUSE_SECONDS = 0.1
_TOPIC_EXISTS = 36
_OVERRIDE = "DYNAMIC_TOPIC_CONFIG"


@contextmanager
def connect(endpoint: Endpoint) -> Iterator[KafkaAdmin]:
    with open_client(endpoint) as client:
        yield KafkaAdmin(client, endpoint)


@contextmanager
def open_client(endpoint: Endpoint, request_ms: int = _REQUEST_MS) -> Iterator[Any]:
    """A connection that is closed whatever happens; its failures have names."""
    from kafka.admin import KafkaAdminClient
    from kafka.errors import KafkaError

    # Its log lines on lost connections would stand beside the one message that we give.
    logging.getLogger("kafka").setLevel(logging.CRITICAL)
    where = f"cluster `{endpoint.cluster}` at {endpoint.bootstrap}"
    try:
        client = KafkaAdminClient(
            bootstrap_servers=endpoint.bootstrap.split(","),
            bootstrap_timeout_ms=_BOOTSTRAP_MS,
            request_timeout_ms=request_ms,
            client_id="hdictl",
            proxy_url=endpoint.proxy,
        )
    except (KafkaError, OSError, ValueError) as error:
        raise KafkaUnreachable(
            f"no broker answers ({reason(error)})",
            where=where,
            fix=_way_in(endpoint),
        ) from error
    try:
        yield client
    except KafkaError as error:
        raise KafkaRejected(reason(error), where=where, fix="see the brokers: hdictl status, hdictl logs") from error
    except (TimeoutError, ConnectionError) as error:
        raise KafkaUnreachable(reason(error), where=where, fix="see the brokers: hdictl status") from error
    finally:
        client.close()


class KafkaAdmin:
    """A `ClusterWriter`."""

    def __init__(self, client: Any, endpoint: Endpoint) -> None:
        self._client = client
        self._endpoint = endpoint

    def observe(self) -> ObservedCluster:
        # describe_cluster() fails on Kafka 3.2 (it expects a field of a later version), so the one metadata request
        # that carries cluster id, brokers with racks and topics is sent as it is.
        metadata = self._client._manager.run(self._client._get_cluster_metadata, None)
        require_pinned(self._endpoint, metadata["cluster_id"])
        seen = [topic for topic in metadata["topics"] if not topic["is_internal"] and topic["name"] != TOPIC]
        overrides = self._overrides([topic["name"] for topic in seen])
        topics = {
            topic["name"]: ObservedTopic(topic["name"], _assignment(topic), overrides.get(topic["name"], {}))
            for topic in seen
        }
        return ObservedCluster(
            cluster=self._endpoint.cluster,
            cluster_id=metadata["cluster_id"],
            controller=metadata["controller_id"] if metadata["controller_id"] >= 0 else None,
            brokers=_brokers(metadata["brokers"]),
            topics=topics,
        )

    def health(self) -> KafkaHealth:
        from kafka.errors import KafkaError

        try:
            return read_health(self._client)
        except KafkaError as error:
            # Named here and not at the end: whoever waits for a broker asks again.
            raise KafkaUnreachable(reason(error), where=f"cluster `{self._endpoint.cluster}`") from error

    def create_topics(self, topics: Sequence[NewTopic]) -> Mapping[str, str | None]:
        request = {
            topic.name: {
                "assignments": {number: list(replicas) for number, replicas in enumerate(topic.assignment)},
                "configs": dict(topic.config),
            }
            for topic in topics
        }
        response = self._client.create_topics(request, timeout_ms=_REQUEST_MS, raise_errors=False)
        return {topic["name"]: None if topic["error_code"] == 0 else _message(topic) for topic in response["topics"]}

    def settle(self, partitions: Mapping[str, int]) -> None:
        """Kafka tells a topic's news to one broker after the other; wait for the last."""
        deadline = time.monotonic() + _SETTLE_SECONDS
        for broker in [node.node_id for node in self._client._manager.cluster.brokers()]:
            left = dict(partitions)
            while left := {name: count for name, count in left.items() if count != self._known(broker, left)[name]}:
                if time.monotonic() > deadline:
                    raise KafkaRejected(
                        f"broker {broker} does not know of {len(left)} topics after {_SETTLE_SECONDS:.0f} s",
                        where=f"cluster `{self._endpoint.cluster}`",
                        fix="see that it runs: hdictl status",
                    )
                time.sleep(_PAUSE_SECONDS)

    def _known(self, broker: int, topics: Iterable[str]) -> dict[str, int]:
        """Partitions with a leader, by topic, as one broker tells it."""
        from kafka.protocol.metadata import MetadataRequest

        wanted = [MetadataRequest.MetadataRequestTopic(name=name) for name in topics]
        request = MetadataRequest(topics=wanted, allow_auto_topic_creation=False)

        async def ask() -> Any:
            return await self._client._manager.send(request, node_id=broker)

        answer = self._client._manager.run(ask)
        return {topic.name: sum(1 for part in topic.partitions if part.leader_id >= 0) for topic in answer.topics}

    def add_partitions(self, topic: str, total: int, added: Assignment) -> None:
        self._client.create_partitions(
            {topic: {"count": total, "assignments": [list(replicas) for replicas in added]}}, timeout_ms=_REQUEST_MS
        )

    def alter_config(self, topic: str, changes: Mapping[str, str | None]) -> None:
        from kafka.admin import ConfigResource, ConfigResourceType

        operations = {key: ("DELETE", None) if value is None else ("SET", value) for key, value in changes.items()}
        answer = self._client.alter_configs(
            [ConfigResource(ConfigResourceType.TOPIC, topic, operations)], raise_on_unknown=False
        )
        # A refused setting comes back as text; nothing is raised.
        outcome = answer["topic"][topic]
        if outcome != "OK":
            raise KafkaRejected(outcome, where=f"topic `{topic}`", fix="mend the setting in the stack file")

    def delete_topics(self, topics: Sequence[str]) -> None:
        self._client.delete_topics(list(topics), timeout_ms=_REQUEST_MS)

    def _overrides(self, names: Sequence[str]) -> dict[str, dict[str, str]]:
        """Topic-level settings alone: what a broker brings by default is not the topic's."""
        from kafka.admin import ConfigResource, ConfigResourceType

        found: dict[str, dict[str, str]] = {}
        for start in range(0, len(names), _CONFIG_BATCH):
            resources = [
                ConfigResource(ConfigResourceType.TOPIC, name) for name in names[start : start + _CONFIG_BATCH]
            ]
            answer = self._client.describe_configs(resources, config_filter="modified").get("topic", {})
            for name, settings in answer.items():
                found[name] = {
                    key: setting["value"] for key, setting in settings.items() if setting["config_source"] == _OVERRIDE
                }
        return found


def require_pinned(endpoint: Endpoint, cluster_id: str) -> None:
    if endpoint.cluster_id is not None and endpoint.cluster_id != cluster_id:
        raise StrangeCluster(
            f"this is Kafka cluster {cluster_id}; the stack belongs to {endpoint.cluster_id}",
            where=f"cluster `{endpoint.cluster}` at {endpoint.bootstrap}",
            fix="point the stack at its own cluster, or change `cluster_id` if the cluster was made anew",
        )


def _way_in(endpoint: Endpoint) -> str:
    if endpoint.proxy is None and endpoint.bootstrap.startswith("127."):
        return "see that it runs: hdictl status; start it: hdictl up"
    return (
        "see that it runs: hdictl status --target azure; brokers are private to their VNet: work inside it, by VPN, "
        "or with `access: ssh` on the cluster"
    )


def _brokers(brokers: Sequence[Mapping[str, Any]]) -> tuple[ObservedBroker, ...]:
    return tuple(
        ObservedBroker(broker["node_id"], broker["host"], broker["port"], broker.get("rack"))
        for broker in sorted(brokers, key=lambda broker: broker["node_id"])
    )


def _assignment(topic: Mapping[str, Any]) -> Assignment:
    partitions = sorted(topic["partitions"], key=lambda partition: partition["partition_index"])
    return tuple(tuple(partition["replica_nodes"]) for partition in partitions)


def _message(topic: Mapping[str, Any]) -> str:
    from kafka.errors import for_code

    if topic["error_code"] == _TOPIC_EXISTS:
        return "TopicAlreadyExists: somebody made it meanwhile"
    name = for_code(topic["error_code"]).__name__.removesuffix("Error")
    return f"{name}: {topic.get('error_message') or 'no reason given'}"


def reason(error: BaseException) -> str:
    if isinstance(error, HdictlError):
        return error.what
    text = str(error).strip()
    name = type(error).__name__.removesuffix("Error")
    return text if text.startswith(name) or not name else f"{name}: {text}" if text else name
