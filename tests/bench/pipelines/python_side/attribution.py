"""A loop: ad_click_attribution by hand. Copies are dropped, clicks join impressions, and what is old is forgotten."""

from __future__ import annotations

from collections import deque
from io import BytesIO
from typing import Any

import fastavro
import orjson
from confluent_kafka import Producer

from tests.bench.pipelines.python_side.meter import Meter, task
from tests.bench.pipelines.python_side.reader import chunks

WITHIN_MS, DELAY_MS = 600_000, 120_000


class Remembered:
    """By id, for as long as the watermark asks for."""

    def __init__(self, keep_ms: int) -> None:
        self.by_id: dict[str, dict[str, Any]] = {}
        self._ages: deque[tuple[int, str]] = deque()
        self._keep_ms = keep_ms
        self.newest = 0

    def is_new(self, id: str, at: int, event: dict[str, Any]) -> bool:
        self.newest = max(self.newest, at)
        if id in self.by_id or at < self.newest - DELAY_MS:
            return False
        self.by_id[id] = event
        self._ages.append((at, id))
        return True

    def forget(self, watermark: int) -> None:
        while self._ages and self._ages[0][0] < watermark - self._keep_ms:
            self.by_id.pop(self._ages.popleft()[1], None)


def main() -> None:
    given = task()
    impression, click = (fastavro.parse_schema(given["schemas"][name]) for name in ("impressions", "clicks"))
    read = fastavro.schemaless_reader
    producer = Producer(
        {
            "bootstrap.servers": given["bootstrap"],
            "acks": "all",
            "enable.idempotence": True,
            "compression.type": "lz4",
            "linger.ms": 20,
            "queue.buffering.max.messages": 1_000_000,
        }
    )
    meter = Meter(given["total"])
    impressions, clicks = Remembered(WITHIN_MS), Remembered(DELAY_MS)
    waiting: dict[str, list[dict[str, Any]]] = {}
    written = 0

    def write(shown: dict[str, Any], clicked: dict[str, Any]) -> None:
        nonlocal written
        delay = clicked["clicked_at"] - shown["shown_at"]
        if 0 <= delay <= WITHIN_MS:
            row = {**clicked, **shown, "delay_ms": delay}
            key = clicked["click_id"].encode()
            headers = {"event_id": b"ad_click_attribution|attributed|" + key, "pipeline": b"ad_click_attribution"}
            producer.produce(given["sink"], orjson.dumps(row), key, headers=headers)
            written += 1

    for messages in chunks(given["bootstrap"], [given["topics"]["impressions"], given["topics"]["clicks"]]):
        for message in messages:
            try:
                if message.topic() == given["topics"]["impressions"]:
                    shown = read(BytesIO(message.value()), impression)
                    id = shown["impression_id"]
                    if impressions.is_new(id, shown["shown_at"], shown):
                        for clicked in waiting.pop(id, ()):
                            write(shown, clicked)
                else:
                    clicked = read(BytesIO(message.value()), click)
                    if clicks.is_new(clicked["click_id"], clicked["clicked_at"], clicked):
                        found = impressions.by_id.get(clicked["impression_id"])
                        if found is not None:
                            write(found, clicked)
                        else:
                            waiting.setdefault(clicked["impression_id"], []).append(clicked)
            except (ValueError, KeyError, EOFError):
                continue  # where a dead letter would be written
        watermark = min(impressions.newest, clicks.newest) - DELAY_MS
        impressions.forget(watermark)
        clicks.forget(watermark)
        producer.poll(0)
        meter.add(len(messages))
        if meter.is_done:
            break
    producer.flush()
    meter.tell(written=written)


if __name__ == "__main__":
    main()
