"""Following a log that is only ever shown as its last lines.

Livy keeps the last 200 lines of a batch and numbers them from the oldest it still has, so that a position means
another line at every look. What is new is found by laying the window over the one before.
"""

from __future__ import annotations

from collections.abc import Sequence


class LogFollower:
    """Give it the whole window at every look."""

    def __init__(self) -> None:
        self._seen: tuple[str, ...] = ()

    def new_lines(self, window: Sequence[str]) -> tuple[tuple[str, ...], bool]:
        """The lines that were not there before, and whether others came and went in between."""
        now = tuple(window)
        if not now or _contains(self._seen, now):
            return (), False  # nothing new; or a look of earlier, from a gateway or the other head node
        overlap = _overlap(self._seen, now)
        lost = overlap == 0 and bool(self._seen)
        self._seen = now
        return now[overlap:], lost


def _overlap(before: Sequence[str], now: Sequence[str]) -> int:
    """How many lines at the end of `before` are those at the beginning of `now`: as many as possible.

    Where lines repeat, several answers fit, and the log cannot tell which is true: four times `tick` after four times
    `tick` are the same four, or one to four new ones. The largest overlap never shows a line twice; it may leave out
    repetitions, and may take a chance likeness (an empty line at the end, one at the beginning) for continuity.
    """
    return next(
        (size for size in range(min(len(before), len(now)), 0, -1) if before[-size:] == now[:size]),
        0,
    )


def _contains(whole: Sequence[str], part: Sequence[str]) -> bool:
    return any(whole[begin : begin + len(part)] == part for begin in range(len(whole) - len(part) + 1))
