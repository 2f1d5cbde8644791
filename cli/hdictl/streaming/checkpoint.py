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
    offsets_damage: str | None = None  # why nobody knows where it stands
    note_damage: str | None = None  # why nobody knows what it belongs to

    @property
    def is_settled(self) -> bool:
        """No batch was begun and left unfinished."""
        return self.committed == self.begun

    @property
    def topics(self) -> Mapping[str, str | None]:
        """Those that it reads, by its note, each with the id that it had."""
        found = self.belongs_to.get("topics")
        return found if isinstance(found, dict) else {}

    @property
    def operators(self) -> tuple[str, ...]:
        """Its stateful ones, by its note."""
        found = self.belongs_to.get("operators")
        return tuple(map(str, found)) if isinstance(found, list) else ()

    @property
    def damage(self) -> tuple[str, ...]:
        return tuple(each for each in (self.offsets_damage, self.note_damage) if each is not None)


def to_checkpoint(query: str, committed: int, begun: int, content: bytes | None, sidecar: bytes | None) -> Checkpoint:
    """`content`: the offsets of the committed batch.

    A file that cannot be read is told, and the rest is read all the same: a reset is what helps, and has to work.
    """
    offsets: dict[str, dict[int, int]] = {}
    metadata: dict[str, Any] = {}
    belongs_to: dict[str, Any] = {}
    offsets_damage = note_damage = None
    try:
        if committed >= 0:
            offsets, metadata = _offsets(content)
    except (ValueError, TypeError, AttributeError) as error:
        offsets_damage = f"{FOLDER}/{query}/offsets/{committed} cannot be read: {error}"
    try:
        belongs_to = _note(sidecar)
    except ValueError as error:
        note_damage = f"{FOLDER}/{query}/{SIDECAR} cannot be read: {error}"
    return Checkpoint(
        query=query,
        committed=committed,
        begun=begun,
        offsets=offsets,
        watermark_ms=metadata.get("batchWatermarkMs", 0),
        pinned=metadata.get("conf", {}),
        belongs_to=belongs_to,
        offsets_damage=offsets_damage,
        note_damage=note_damage,
    )


def _offsets(content: bytes | None) -> tuple[dict[str, dict[int, int]], dict[str, Any]]:
    """A version, a line of metadata, then one line for each source."""
    if not content:
        raise ValueError("it is not there" if content is None else "it is empty")
    _version, *lines = content.decode().splitlines()
    if not lines:
        raise ValueError("it ends after its version")
    metadata = json.loads(lines[0])
    if not isinstance(metadata, dict) or not isinstance(metadata.get("conf", {}), dict):
        raise ValueError("its second line is no metadata of Spark's")
    metadata["batchWatermarkMs"] = int(metadata.get("batchWatermarkMs", 0))
    offsets: dict[str, dict[int, int]] = {}
    for source in lines[1:]:
        found = None if source == "-" else json.loads(source)  # one that has given nothing yet has a dash
        if isinstance(found, dict):
            for topic, partitions in found.items():
                offsets[topic] = {int(number): int(offset) for number, offset in partitions.items()}
    return offsets, metadata


def _note(sidecar: bytes | None) -> dict[str, Any]:
    if sidecar is None:
        return {}
    found = json.loads(sidecar)
    if not isinstance(found, dict):
        raise ValueError("it is no note of ours")
    return found
