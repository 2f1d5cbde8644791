"""When records were written, without reading them: a broker says which offset comes first after a moment.

Reading them would need the library of every codec that a producer may have chosen, and their bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

_FINEST_MS = 100
_SHARE = 0.01  # of its age, how exactly a time is told
_FIRST_STEP_MS = 1_000

Place = TypeVar("Place")
FirstAfter = Callable[[Mapping[Place, int]], Mapping[Place, int | None]]  # moment → first offset that is not older


def written_at(offsets: Mapping[Place, int], first_after: FirstAfter[Place], now: int) -> dict[Place, int]:
    """Place → time of the record at this offset, to a hundredth of its age, as far as timestamps grow with offsets."""
    early = _early_enough(offsets, first_after, now)
    late = dict.fromkeys(offsets, now + 1)
    open_places = set(offsets)
    while open_places:
        middle = {place: (early[place] + late[place]) // 2 for place in open_places}
        found = first_after(middle)
        for place in list(open_places):
            at = found[place]
            if at is not None and at <= offsets[place]:
                early[place] = middle[place]
            else:
                late[place] = middle[place]
            if late[place] - early[place] <= max(_FINEST_MS, (now - early[place]) * _SHARE):
                open_places.discard(place)
    return early


def _early_enough(offsets: Mapping[Place, int], first_after: FirstAfter[Place], now: int) -> dict[Place, int]:
    """Moments before which nothing of interest was written: a second ago, four, sixteen … the epoch."""
    early: dict[Place, int] = {}
    step = _FIRST_STEP_MS
    while left := [place for place in offsets if place not in early]:
        moment = max(0, now - step)
        found = first_after(dict.fromkeys(left, moment))
        for place in left:
            at = found[place]
            if moment == 0 or (at is not None and at <= offsets[place]):
                early[place] = moment
        step *= 4
    return early
