"""The journal of a rebalance as a compacted topic of the cluster itself, with a copy on this machine's disk.

kafka-python alone speaks through a SOCKS proxy, so its producer and consumer are used. Times of records are the
brokers' own.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from hdictl.drivers import folders
from hdictl.drivers.kafka.admin import open_client, reason, require_pinned
from hdictl.drivers.kafka.calls import BrokerCalls
from hdictl.drivers.kafka.journal_copy import JournalCopy
from hdictl.drivers.kafka.journal_home import JournalHome
from hdictl.errors import KafkaUnreachable
from hdictl.ports.kafka import Endpoint
from hdictl.rebalance.journal import TOPIC, Entry, Journal, after

_TIMEOUT_MS = 60_000
_TIMEOUT_SECONDS = 60.0
_POLL_MS = 100


@contextmanager
def connect(endpoint: Endpoint) -> Iterator[JournalTopic]:
    with open_client(endpoint) as admin, ExitStack() as held:
        yield JournalTopic(endpoint, admin, held, folders.state() / "rebalance")


class JournalTopic:
    """A `JournalStore`."""

    def __init__(self, endpoint: Endpoint, admin: Any, held: ExitStack, folder: Path) -> None:
        calls = BrokerCalls(admin, endpoint)
        overview = calls.overview()
        require_pinned(endpoint, overview.cluster_id)
        self._endpoint = endpoint
        self._held = held
        self._home = JournalHome(endpoint, admin, calls)
        self._copy = JournalCopy(folder / f"{overview.cluster_id}.json")
        self._journal = Journal()
        self._lost: list[Entry] = []
        self._consumer: Any = None
        self._producer: Any = None

    def read(self) -> Journal:
        if self._consumer is None and not self._home.is_there():
            return self._copy.read()
        self._follow(None)
        return self._journal

    def create(self) -> None:
        self._home.create()

    def leave(self, brokers: Collection[int]) -> None:
        self._home.leave(brokers)

    def append(self, entries: Sequence[Entry]) -> Journal:
        if self._consumer is None:
            self._follow(None)
        last = self._sent([*self._lost, *entries])
        self._lost = []
        known = (self._journal.run, self._journal.parts)
        self._follow(last)
        if known != (self._journal.run, self._journal.parts):
            self._copy.write(self._journal)
        return self._journal

    def _sent(self, records: Sequence[Entry]) -> int:
        """The offset of the last one."""
        from kafka.errors import KafkaError

        try:
            sender = self._sender()
            sent = [sender.send(TOPIC, key=each.key.encode(), value=each.value, partition=0) for each in records]
            sender.flush(_TIMEOUT_SECONDS)
            return int(max(each.get(_TIMEOUT_SECONDS).offset for each in sent))
        except (KafkaError, OSError) as error:
            raise self._unreachable("written", error) from error

    def _follow(self, last: int | None) -> None:
        """Read on to this offset; None: to the end as it is now."""
        is_first = self._consumer is None
        self._read_on(last)
        if is_first and self._journal.run is None:
            # Nobody has begun anything yet, or somebody deleted the topic: then this machine may still know.
            known = self._copy.read()
            self._journal = replace(self._journal, run=known.run, parts={**known.parts, **self._journal.parts})
            self._lost = [Entry(key, value) for key, value in known.parts.items()]

    def _read_on(self, last: int | None) -> None:
        from kafka import TopicPartition
        from kafka.errors import KafkaError

        place = TopicPartition(TOPIC, 0)
        try:
            consumer = self._reader(place)
            end = consumer.end_offsets([place])[place] if last is None else last + 1
            deadline = time.monotonic() + _TIMEOUT_SECONDS
            while consumer.position(place) < end:
                found = consumer.poll(timeout_ms=_POLL_MS).get(place, ())
                self._journal = after(self._journal, [_entry(record) for record in found])
                if time.monotonic() > deadline:
                    raise TimeoutError(f"no answer after {_TIMEOUT_SECONDS:.0f} s")
        except (KafkaError, OSError) as error:
            raise self._unreachable("read", error) from error

    def _reader(self, place: Any) -> Any:
        from kafka import KafkaConsumer

        if self._consumer is None:
            self._consumer = KafkaConsumer(
                **self._clients(), group_id=None, enable_auto_commit=False, max_poll_records=5000
            )
            self._held.callback(self._consumer.close)
            self._consumer.assign([place])
            self._consumer.seek_to_beginning(place)
        return self._consumer

    def _sender(self) -> Any:
        from kafka import KafkaProducer

        if self._producer is None:
            self._producer = KafkaProducer(
                **self._clients(), acks="all", delivery_timeout_ms=_TIMEOUT_MS, max_block_ms=_TIMEOUT_MS
            )
            self._held.callback(self._producer.close, 1)
        return self._producer

    def _clients(self) -> dict[str, Any]:
        return {
            "bootstrap_servers": self._endpoint.bootstrap.split(","),
            "client_id": "hdictl-journal",
            "proxy_url": self._endpoint.proxy,
            "allow_auto_create_topics": False,
            "reconnect_backoff_max_ms": 2000,
            "request_timeout_ms": 15_000,
        }

    def _unreachable(self, done: str, error: Exception) -> KafkaUnreachable:
        return KafkaUnreachable(
            f"the journal cannot be {done}: {reason(error)}",
            where=self._home.where,
            fix="see the brokers: hdictl status",
        )


def _entry(record: Any) -> Entry:
    return Entry(record.key.decode(), record.value, record.timestamp)
