"""Ad events as in the Yahoo streaming benchmark, and impressions with clicks: from a seed, in event-time order."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from io import BytesIO

import fastavro

START = 1_767_225_600_000  # 2026-01-01T00:00Z
AD_EVENT = {
    "type": "record",
    "name": "AdEvent",
    "fields": [
        {"name": "event_id", "type": "string"},
        {"name": "user_id", "type": "string"},
        {"name": "page_id", "type": "string"},
        {"name": "ad_id", "type": "string"},
        {"name": "ad_type", "type": "string"},
        {"name": "event_type", "type": "string"},
        {"name": "event_time", "type": "long"},
        {"name": "ip_address", "type": "string"},
    ],
}
CLICKED = 20  # one of so many impressions is clicked on
_TYPES = ("view", "click", "purchase")
_AD_TYPES = ("banner", "modal", "sponsored-search", "mail", "mobile")


def ad_events(number: int, seed: int = 2026) -> Iterator[dict[str, object]]:
    chance = random.Random(seed)
    for index in range(number):
        yield {
            "event_id": f"{seed:x}-{index:09d}",
            "user_id": f"user-{chance.randrange(100_000):06d}",
            "page_id": f"page-{chance.randrange(1_000):04d}",
            "ad_id": f"ad-{chance.randrange(1_000):04d}",
            "ad_type": chance.choice(_AD_TYPES),
            "event_type": chance.choice(_TYPES),
            "event_time": START + index // 50,  # 50 a millisecond
            "ip_address": f"10.{chance.randrange(256)}.{chance.randrange(256)}.{chance.randrange(256)}",
        }


def impressions(number: int, seed: int = 2026) -> Iterator[dict[str, object]]:
    chance = random.Random(seed)
    for index in range(number):
        yield {
            "impression_id": f"i-{index:09d}",
            "shown_at": START + index,  # a thousand a second
            "ad_id": f"ad-{chance.randrange(1_000):04d}",
            "campaign_id": f"campaign-{chance.randrange(100):03d}",
            "user_id": f"user-{chance.randrange(100_000):06d}",
        }


def clicks(number: int) -> Iterator[dict[str, object]]:
    """Two seconds after their impressions."""
    for index in range(0, number, CLICKED):
        yield {
            "click_id": f"k-{index:09d}",
            "clicked_at": START + index + 2_000,
            "impression_id": f"i-{index:09d}",
        }


def to_json(event: dict[str, object]) -> bytes:
    return json.dumps(event, separators=(",", ":")).encode()


class AvroWriter:
    def __init__(self, schema: dict[str, object]) -> None:
        self._schema = fastavro.parse_schema(schema)

    def __call__(self, event: dict[str, object]) -> bytes:
        written = BytesIO()
        fastavro.schemaless_writer(written, self._schema, event)
        return written.getvalue()
