"""Where the journal's topic lies: made on first use, spread over domains, moved away from brokers that shall go."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from typing import Any

from hdictl.drivers.kafka import reassignment
from hdictl.drivers.kafka.calls import BrokerCalls
from hdictl.errors import KafkaRejected, KafkaUnreachable
from hdictl.plan.observed import ObservedBroker
from hdictl.ports.kafka import Endpoint
from hdictl.rebalance.journal import TOPIC
from hdictl.rebalance.placement import Load, place, with_domains

_REPLICAS, _IN_SYNC = 3, 2
_CONFIG = {
    "cleanup.policy": "compact",
    "message.timestamp.type": "LogAppendTime",
    # Who held the lease is decided by every record of late, not by the last one alone.
    "min.compaction.lag.ms": "3600000",
    "unclean.leader.election.enable": "false",
}
_TIMEOUT_MS = 60_000
_TIMEOUT_SECONDS = 60.0
_PAUSE_SECONDS = 0.1
_EXISTS = 36


class JournalHome:
    def __init__(self, endpoint: Endpoint, admin: Any, calls: BrokerCalls) -> None:
        self._endpoint = endpoint
        self._admin = admin
        self._calls = calls
        self.where = f"topic `{TOPIC}` on cluster `{endpoint.cluster}`"

    def is_there(self) -> bool:
        return bool(self._replicas())

    def create(self) -> None:
        if self.is_there():
            return
        placed = self._place(())
        config = {**_CONFIG, "min.insync.replicas": str(min(_IN_SYNC, len(placed)))}
        request = {TOPIC: {"assignments": {0: list(placed)}, "configs": config}}
        answer = self._admin.create_topics(request, timeout_ms=_TIMEOUT_MS, raise_errors=False)["topics"][0]
        if answer["error_code"] not in (0, _EXISTS):
            raise KafkaRejected(str(answer["error_message"]), where=self.where, fix="see that topics can be made")
        self._await(self.is_there, "it was made and is not there")

    def leave(self, brokers: Collection[int]) -> None:
        if not set(self._replicas()) & set(brokers):
            return
        target = self._place(brokers)
        with reassignment.connect(self._endpoint) as mover:
            refused = mover.reassign({(TOPIC, 0): target})
        if refused:
            raise KafkaRejected(refused[(TOPIC, 0)], where=self.where, fix="see the brokers: hdictl status")
        self._await(lambda: self._replicas() == target, "it does not move")

    def _place(self, without: Collection[int]) -> tuple[int, ...]:
        seen = [
            ObservedBroker(broker.node_id, broker.host, broker.port, broker.rack)
            for broker in self._calls.overview().brokers
            if broker.node_id not in without
        ]
        brokers, _ = with_domains(seen, self._endpoint.domains)
        return place(1, min(_REPLICAS, len(brokers)), brokers, Load())[0]

    def _replicas(self) -> tuple[int, ...]:
        from kafka.protocol.metadata import MetadataRequest

        def request() -> Any:
            topics = [MetadataRequest.MetadataRequestTopic(name=TOPIC)]
            return MetadataRequest(topics=topics, allow_auto_topic_creation=False)

        found = self._calls.anyone(request).topics
        return tuple(found[0].partitions[0].replica_nodes) if found and found[0].partitions else ()

    def _await(self, is_so: Callable[[], bool], trouble: str) -> None:
        deadline = time.monotonic() + _TIMEOUT_SECONDS
        while not is_so():
            if time.monotonic() > deadline:
                raise KafkaUnreachable(trouble, where=self.where, fix="see the brokers: hdictl status")
            time.sleep(_PAUSE_SECONDS)
