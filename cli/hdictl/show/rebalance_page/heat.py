"""The heat map's frame: a row per broker, before and below it after, so that a column means the same in both.

What the columns are is another matter: partitions where they are few enough to be seen (heat_partitions), topics
otherwise (heat_topics). The broker names are a picture of their own that stays while the map scrolls.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from hdictl.rebalance.plan import BrokerChange, RebalancePlan
from hdictl.show.rebalance_page.markup import scroller, text
from hdictl.show.rebalance_page.rows import by_fault_domain, domain

When = Literal["before", "after"]
WHENS: tuple[When, When] = ("before", "after")

_LABELS = 96  # pixels for broker names
_BETWEEN_DOMAINS = 5
_BETWEEN_MAPS = 34
_CAPTION = 16
_LETTER = 5.6  # width of a letter of a column's name
_SLOPE = 0.71  # names rise by 45 degrees
_LONGEST_NAME = 26
_NAME_HEIGHT = 14  # no two names are closer than this


@dataclass(frozen=True)
class Column:
    """A topic: where it begins, how wide it is."""

    name: str
    x: float
    width: float


@dataclass(frozen=True)
class Frame:
    plan: RebalancePlan
    columns: Sequence[Column]

    @cached_property
    def row_height(self) -> float:
        return 14 if len(self.plan.brokers) <= 20 else 11

    @cached_property
    def top(self) -> float:
        longest = max((len(_short(column.name)) for column in self.named), default=0)
        return 20 + longest * _LETTER * _SLOPE

    @cached_property
    def named(self) -> list[Column]:
        """Columns with room for their name."""
        chosen: list[Column] = []
        for column in self.columns:
            if not chosen or _middle(column) - _middle(chosen[-1]) >= _NAME_HEIGHT:
                chosen.append(column)
        return chosen

    @cached_property
    def _map_height(self) -> float:
        groups = len(by_fault_domain(self.plan))
        return len(self.plan.brokers) * self.row_height + (groups - 1) * _BETWEEN_DOMAINS

    @cached_property
    def rows(self) -> dict[When, list[tuple[BrokerChange, float]]]:
        """Brokers and where their row begins."""
        found: dict[When, list[tuple[BrokerChange, float]]] = {}
        for place, when in enumerate(WHENS):
            y = self.top + place * (self._map_height + _BETWEEN_MAPS)
            found[when] = []
            for _, members in by_fault_domain(self.plan):
                for change in members:
                    found[when].append((change, y))
                    y += self.row_height
                y += _BETWEEN_DOMAINS
        return found

    @property
    def height(self) -> float:
        return self.top + 2 * self._map_height + _BETWEEN_MAPS + 4

    @property
    def width(self) -> float:
        last = self.columns[-1] if self.columns else Column("", 0, 0)
        name = len(_short(self.named[-1].name)) * _LETTER * _SLOPE if self.named else 0
        return last.x + last.width + max(12, name)


def heat_map(frame: Frame, label: str, cells: Iterable[str]) -> str:
    inner = "".join((*cells, *_names(frame)))
    picture = (
        f'<svg class="map" width="{frame.width:.0f}" height="{frame.height:.0f}" role="img" '
        f'aria-label="{text(label)}">{inner}</svg>'
    )
    return f'<div class="heat">{_brokers(frame)}{scroller(label, picture)}</div>'


def _names(frame: Frame) -> Iterable[str]:
    for column in frame.named:
        x, y = _middle(column), frame.top - 6
        yield (
            f'<text transform="translate({x:g} {y:.0f}) rotate(-45)">{text(_short(column.name))}'
            f"<title>{text(column.name)}</title></text>"
        )


def _brokers(frame: Frame) -> str:
    parts = []
    for when in WHENS:
        rows = frame.rows[when]
        parts.append(f'<text class="caption" x="0" y="{rows[0][1] - _CAPTION / 2:.0f}">{when}</text>')
        seen: set[int | None] = set()
        for change, y in rows:
            baseline = y + frame.row_height - 3
            if change.broker.fd not in seen:
                seen.add(change.broker.fd)
                parts.append(f'<text class="domain" x="0" y="{baseline:.0f}">FD {domain(change.broker.fd)}</text>')
            parts.append(f'<text x="{_LABELS - 8}" y="{baseline:.0f}" text-anchor="end">{change.broker.id}</text>')
    size = f'width="{_LABELS}" height="{frame.height:.0f}"'
    return f'<svg class="map" {size} role="img" aria-label="Brokers of the rows">{"".join(parts)}</svg>'


def _middle(column: Column) -> float:
    return column.x + column.width / 2


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"
