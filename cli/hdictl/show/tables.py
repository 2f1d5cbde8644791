"""Tables that cut nothing short: a name that ends in `…` cannot be copied, and nobody greps for it.

Where the screen is too narrow, the terminal wraps the line.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain

from rich.measure import Measurement
from rich.segment import Segments
from rich.table import Table

from hdictl.show.terminal import out

_NO_LIMIT = 10_000


def table(*headings: str, right: Collection[str] = ()) -> Table:
    """`right` has the headings of the columns with numbers."""
    made = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for heading in headings:
        made.add_column(heading, justify="right" if heading in right else "left", no_wrap=True)
    return made


def print_table(made: Table) -> None:
    needed = Measurement.get(out, out.options.update(max_width=_NO_LIMIT), made).maximum
    # Console.print never goes beyond the screen: lines are made as wide as they have to be, and printed as they are.
    lines = out.render_lines(made, out.options.update(width=needed), pad=False, new_lines=True)
    out.print(Segments(chain.from_iterable(lines)), end="")
