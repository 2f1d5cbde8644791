"""The books of a reader: which sequences of each key came, in order, out of order, twice or never."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Verdict:
    acknowledged: int
    lost: int  # acknowledged by Kafka and not there
    reordered: int  # came after a later one of the same key
    duplicates: int
    oddities: tuple[str, ...] = field(default=(), compare=False)  # the first few, for whoever looks into it

    @property
    def is_clean(self) -> bool:
        return self.lost == self.reordered == self.duplicates == 0


_TOLD = 12


@dataclass
class Ledger:
    """Writers number the records of every key 0, 1, 2, …"""

    read: int = 0
    reordered: int = 0
    duplicates: int = 0
    oddities: list[str] = field(default_factory=list)
    _next: dict[str, int] = field(default_factory=dict)
    _skipped: dict[str, set[int]] = field(default_factory=dict)

    def note(self, key: str, sequence: int, offset: int = -1) -> None:
        self.read += 1
        expected = self._next.get(key, 0)
        if sequence != expected:
            self.tell(f"{key}: {sequence} came at offset {offset}, {expected} was to come")
        if sequence >= expected:
            if sequence > expected:
                self._skipped.setdefault(key, set()).update(range(expected, sequence))
            self._next[key] = sequence + 1
        elif sequence in self._skipped.get(key, ()):
            self._skipped[key].remove(sequence)
            self.reordered += 1
        else:
            self.duplicates += 1

    def tell(self, oddity: str) -> None:
        if len(self.oddities) < _TOLD:
            self.oddities.append(oddity)

    def has_reached(self, acknowledged: Mapping[str, int]) -> bool:
        return all(self._next.get(key, 0) >= count for key, count in acknowledged.items())

    def verdict(self, acknowledged: Mapping[str, int]) -> Verdict:
        """`acknowledged`: how many of each key Kafka said that it has."""
        unread = sum(max(0, count - self._next.get(key, 0)) for key, count in acknowledged.items())
        skipped = sum(len(sequences) for sequences in self._skipped.values())
        return Verdict(
            sum(acknowledged.values()), unread + skipped, self.reordered, self.duplicates, tuple(self.oddities)
        )
