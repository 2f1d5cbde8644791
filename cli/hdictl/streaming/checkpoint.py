"""What is in a query's checkpoint: where it stands, what is pinned, and what it belongs to.

Spark's own layout: `offsets/N` is what batch N takes, written before it runs; `commits/N` says that it is done.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

SIDECAR = "hdictl.json"
FOLDER = "checkpoints"
OLD = f"{FOLDER}/_old"


@dataclass(frozen=True)
class Checkpoint:
    query: str
    committed: int  # the last batch that is done; -1 when none is
    begun: int  # the last batch that was begun
    offsets: Mapping[str, Mapping[int, int]]  # topic → partition → next offset to read, after the committed batch
    watermark_ms: int
    pinned: Mapping[str, str]  # settings that Spark takes from here, whatever a later start says
    belongs_to: Mapping[str, Any] = field(default_factory=dict)  # pipeline, query, topics with ids, fingerprint …

    @property
    def is_settled(self) -> bool:
        """No batch was begun and left unfinished."""
        return self.committed == self.begun


def to_checkpoint(query: str, committed: int, begun: int, text: str | None, sidecar: bytes | None) -> Checkpoint:
    """`text`: the offsets of the committed batch."""
    offsets: dict[str, dict[int, int]] = {}
    metadata: dict[str, Any] = {}
    if text is not None:
        # A version, a line of metadata, then one line for each source.
        _version, first, *sources = text.splitlines()
        metadata = json.loads(first)
        for source in sources:
            found = None if source == "-" else json.loads(source)  # one that has given nothing yet has a dash
            if isinstance(found, dict):
                for topic, partitions in found.items():
                    offsets[topic] = {int(number): int(offset) for number, offset in partitions.items()}
    return Checkpoint(
        query=query,
        committed=committed,
        begun=begun,
        offsets=offsets,
        watermark_ms=int(metadata.get("batchWatermarkMs", 0)),
        pinned=metadata.get("conf", {}),
        belongs_to=json.loads(sidecar) if sidecar else {},
    )
