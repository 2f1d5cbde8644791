"""Whether a Kafka cluster is ready: every broker answers, knows all the others, and there is a controller."""

from __future__ import annotations

import socket
from collections.abc import Collection

from hdictl.drivers.free_ports import HOST


def cluster_id_if_ready(ports: Collection[int], brokers: Collection[int]) -> str | None:
    """The cluster's id once each of `ports` says that all of `brokers` are there; None until then."""
    answers = {_answer(port, brokers) for port in ports}
    return answers.pop() if len(answers) == 1 else None


def accepts_connections(port: int) -> bool:
    try:
        socket.create_connection((HOST, port), timeout=1).close()
    except OSError:
        return False
    return True


def _answer(port: int, brokers: Collection[int]) -> str | None:
    # librdkafka waits longer before it tries a refused port again than a broker takes to open it.
    if not accepts_connections(port):
        return None
    from confluent_kafka import KafkaException
    from confluent_kafka.admin import AdminClient

    client = AdminClient({"bootstrap.servers": f"{HOST}:{port}", "log_level": 0, "socket.timeout.ms": 5000})
    try:
        metadata = client.list_topics(timeout=5)
    except KafkaException:
        return None
    is_complete = set(brokers) <= set(metadata.brokers) and metadata.controller_id in metadata.brokers
    return str(metadata.cluster_id) if is_complete else None
