"""What the demo found, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Row:
    what: str
    producer: int | None
    spark: int | None  # None: it does not say
    independent: int

    @property
    def agrees(self) -> bool:
        return {self.independent} >= {said for said in (self.producer, self.spark) if said is not None}


@dataclass(frozen=True)
class PageTotal:
    page: str
    views: int
    minutes: int


@dataclass(frozen=True)
class DemoReport:
    rows: tuple[Row, ...]
    pages: tuple[PageTotal, ...]  # most viewed first
    batches: int
    copies: int  # output that is there twice; 0 unless something crashed
    seconds: float  # from the start of the job to its end
    records_per_second: int
    log: Path

    @property
    def agrees(self) -> bool:
        return all(row.agrees for row in self.rows)
