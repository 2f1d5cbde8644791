"""Counts of a stream of page views, whoever has counted them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

MINUTE = 60_000

Place = tuple[str, int]  # page, start of the minute


@dataclass
class Truth:
    """produced = dead + tombstones + valid, and valid = heartbeats + late + duplicates + counted."""

    produced: int = 0
    dead: int = 0
    tombstones: int = 0
    heartbeats: int = 0
    late: int = 0
    duplicates: int = 0
    visitors: dict[Place, set[str]] = field(default_factory=dict)
    views: dict[Place, int] = field(default_factory=dict)

    @property
    def counted(self) -> int:
        return sum(self.views.values())

    @property
    def valid(self) -> int:
        return self.heartbeats + self.late + self.duplicates + self.counted

    @property
    def windows(self) -> dict[Place, tuple[int, int]]:
        """Views and visitors of each page and minute."""
        return {place: (views, len(self.visitors[place])) for place, views in self.views.items()}

    def add_views(self, events: Iterable[Mapping[str, object]]) -> None:
        for event in events:
            at = int(str(event["event_time"]))
            place = (str(event["page"]), at - at % MINUTE)
            self.views[place] = self.views.get(place, 0) + 1
            self.visitors.setdefault(place, set()).add(str(event["user_id"]))
