"""What Spark has written about each query, and where it stands by it."""

from __future__ import annotations

import json
from dataclasses import dataclass

from streamkit.storage import Storage


@dataclass(frozen=True)
class Position:
    """Where a query stands: its last committed batch, and what the next one begins with."""

    batch: int
    end_offsets: dict[str, dict[str, int]]
    watermark_ms: int


def folder(query: str) -> str:
    return f"checkpoints/{query}"


def is_settled(storage: Storage, query: str) -> bool:
    """No batch of this query was begun and not finished."""
    return storage.latest(folder(query) + "/offsets") == storage.latest(folder(query) + "/commits")


def position(storage: Storage, query: str) -> Position | None:
    """None when no batch was ever committed."""
    batch = storage.latest(folder(query) + "/commits")
    text = storage.read(f"{folder(query)}/offsets/{batch}") if batch >= 0 else None
    return None if text is None else to_position(batch, text)


def to_position(batch: int, text: str) -> Position:
    # A version, a line of metadata, then one line for each source.
    _version, metadata, *sources = text.splitlines()
    end_offsets: dict[str, dict[str, int]] = {}
    for source in sources:
        # A source that has given nothing yet has a dash, and one that is not Kafka offsets of another shape.
        offsets = None if source == "-" else json.loads(source)
        if isinstance(offsets, dict):
            end_offsets.update(offsets)
    return Position(batch, end_offsets, json.loads(metadata).get("batchWatermarkMs", 0))
