"""How a Kafka cluster is, as every one of its brokers sees it.

Kafka tells news to one broker after the other. Whoever asks only one may hear that all is well from a broker that has
not been told yet; before the next broker is stopped, that must not happen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

from hdictl.ports.health import KafkaHealth

_NO_LEADER = -1


def read_health(client: Any) -> KafkaHealth:
    """Fails when nobody answers; a broker that alone does not answer counts as not there."""
    from kafka.errors import KafkaError

    first = _ask(client, None)
    views = [_seen(first)]
    silent = set()
    for broker in views[0].brokers:
        try:
            views.append(_seen(_ask(client, broker)))
        except KafkaError:
            silent.add(broker)
    found = worst_of(views)
    return replace(found, brokers={id: host for id, host in found.brokers.items() if id not in silent})


def _ask(client: Any, broker: int | None) -> Any:
    """What one broker knows of all the others; None: whichever answers."""
    from kafka.protocol.metadata import MetadataRequest

    manager = client._manager
    request = MetadataRequest(topics=None, allow_auto_topic_creation=False)

    async def send() -> Any:
        # The client waits ever longer before it tries a broker again that was away; whoever calls this waits already.
        manager.reset_backoff(broker)
        answer = await manager.send(request, node_id=broker)
        if broker is None:
            # The client looks for new brokers every five minutes: one that came back would stay unknown to it.
            manager.cluster.update_metadata(answer)
        return answer

    return manager.run(send)


def worst_of(views: Sequence[KafkaHealth]) -> KafkaHealth:
    """A broker is there when everyone knows it; a partition is in trouble when anyone says so."""
    return reduce(_worse, views)


def _worse(one: KafkaHealth, other: KafkaHealth) -> KafkaHealth:
    return KafkaHealth(
        brokers={id: host for id, host in one.brokers.items() if id in other.brokers},
        controller=other.controller if one.controller == other.controller else None,
        under_replicated=one.under_replicated | other.under_replicated,
        offline=one.offline | other.offline,
        replicas={**other.replicas, **one.replicas},
    )


def _seen(metadata: Any) -> KafkaHealth:
    partitions = [
        ((topic.name, partition.partition_index), partition)
        for topic in metadata.topics
        for partition in topic.partitions
    ]
    return KafkaHealth(
        brokers={broker.node_id: broker.host for broker in metadata.brokers},
        controller=metadata.controller_id if metadata.controller_id >= 0 else None,
        under_replicated=frozenset(
            key for key, partition in partitions if len(partition.isr_nodes) < len(partition.replica_nodes)
        ),
        offline=frozenset(key for key, partition in partitions if partition.leader_id == _NO_LEADER),
        replicas={
            topic.name: min(len(partition.replica_nodes) for partition in topic.partitions)
            for topic in metadata.topics
            if topic.partitions
        },
    )
