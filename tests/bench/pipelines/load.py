"""A writer that keeps its pace: impressions at so many a second, one of twenty clicked on two seconds later.

    python -m tests.bench.pipelines.load TASK.json    {"bootstrap", "topics", "schemas", "steps": [[seconds, rate], …]}

Prints one JSON line a second: how many records it has sent, and when the record should have been sent that it sends
now, so that a writer that cannot keep its pace is seen. Events happen when they are sent.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import deque
from pathlib import Path
from typing import Any

from confluent_kafka import Producer

from tests.bench.pipelines.events import CLICKED, AvroWriter

_TICK = 0.02
_DELAY = 2.0


def main() -> None:
    task = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    producer = Producer(
        {
            "bootstrap.servers": task["bootstrap"],
            "linger.ms": 5,
            "batch.num.messages": 20_000,
            "compression.type": "lz4",
            "queue.buffering.max.messages": 2_000_000,
        }
    )
    writer = Writer(producer, task)
    begun = time.monotonic()
    due, told = begun, begun
    for seconds, rate in task["steps"]:
        until = due + seconds
        while due < until:
            pause = due - time.monotonic()
            if pause > 0:
                time.sleep(pause)
            writer.send(round(rate * _TICK))
            due += _TICK
            if time.monotonic() - told >= 1:
                told = time.monotonic()
                tell(writer, rate, told - due)
        tell(writer, rate, time.monotonic() - due, is_end=True)
    producer.flush()


def tell(writer: Writer, rate: float, behind: float, *, is_end: bool = False) -> None:
    line = {"sent": writer.sent, "rate": rate, "behind": max(0.0, behind), "at": time.time(), "is_end": is_end}
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


class Writer:
    def __init__(self, producer: Producer, task: dict[str, Any]) -> None:
        self._producer = producer
        self._topics = task["topics"]
        self._write = {name: AvroWriter(schema) for name, schema in task["schemas"].items()}
        self._chance = random.Random(2026)
        self._run = f"{time.time_ns():x}"
        self._number = 0
        self._shown: deque[tuple[float, str]] = deque()
        self.sent = 0

    def send(self, count: int) -> None:
        now = time.time()
        at, chance = round(now * 1000), self._chance
        for _each in range(count):
            id = f"{self._run}-{self._number}"
            event = {
                "impression_id": id,
                "shown_at": at,
                "ad_id": f"ad-{chance.randrange(1_000):04d}",
                "campaign_id": f"campaign-{chance.randrange(100):03d}",
                "user_id": f"user-{chance.randrange(100_000):06d}",
            }
            self._produce("impressions", id, event)
            if self._number % CLICKED == 0:
                self._shown.append((now, id))
            self._number += 1
        while self._shown and self._shown[0][0] <= now - _DELAY:
            id = self._shown.popleft()[1]
            self._produce("clicks", id, {"click_id": f"k{id}", "clicked_at": at, "impression_id": id})
        self._producer.poll(0)

    def _produce(self, name: str, id: str, event: dict[str, Any]) -> None:
        self._producer.produce(self._topics[name], self._write[name](event), id)
        self.sent += 1


if __name__ == "__main__":
    main()
