"""Where topics begin and end, and how far somebody has read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

Offsets = Mapping[str, Mapping[int, int]]  # topic → partition → offset


class OffsetReader(Protocol):
    def ends(self, topics: Iterable[str]) -> Offsets: ...

    def beginnings(self, topics: Iterable[str]) -> Offsets: ...

    def at(self, topics: Iterable[str], moment_ms: int) -> Offsets:
        """Of the first record that is not older; the end where there is none."""

    def committed(self, group: str) -> Offsets: ...

    def times(self, offsets: Offsets) -> Mapping[str, Mapping[int, int]]:
        """When the records at these offsets were written, in milliseconds since the epoch; where there is one."""

    def topic_ids(self, topics: Iterable[str]) -> Mapping[str, str]:
        """Those that exist, each with the id that Kafka gave it."""


class OffsetWriter(OffsetReader, Protocol):
    def commit(self, group: str, offsets: Offsets) -> None: ...
