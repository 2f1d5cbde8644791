"""Where the journal of a rebalance is kept."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from hdictl.rebalance.journal import Entry, Journal


class JournalStore(Protocol):
    """A log in the cluster, and a copy of what it says on this machine's disk."""

    def read(self) -> Journal:
        """To the end of the log as it is now; empty when there is none yet."""

    def create(self) -> None:
        """Make the log when there is none."""

    def leave(self, brokers: Collection[int]) -> None:
        """The log's own replicas move away from these brokers."""

    def append(self, entries: Sequence[Entry]) -> Journal:
        """Written to all in-sync replicas, in this order; returns what the log says with them in it."""
