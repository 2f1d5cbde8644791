"""One bar: what was (wide, pale), what will be (narrow, dark), and the fair share as a line across."""

from __future__ import annotations

from hdictl.show.rebalance_page.markup import cell, text

_WIDTH, _HEIGHT = 200, 16


def bar(before: float, after: float, fair: float, most: float, title: str) -> str:
    """`most` is the length of the whole: bars of one column share it."""
    scale = _WIDTH / most if most else 0.0
    shapes = "".join(
        cell(kind, (0, y, round(value * scale, 2), height))
        for kind, value, y, height in (("was", before, 1, 14), ("now", after, 5, 6))
        if value
    )
    line = cell("fair", (round(min(fair * scale, _WIDTH - 1.5), 2), 0, 1.5, _HEIGHT))
    return (
        f'<svg class="bar" viewBox="0 0 {_WIDTH} {_HEIGHT}" preserveAspectRatio="none" role="img">'
        f"<title>{text(title)}</title>{shapes}{line}</svg>"
    )
