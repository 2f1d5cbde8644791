"""The few pieces of HTML and SVG that the page is made of. Text from outside passes `text`, and nothing else does."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

# Left, top, width, height.
Box = tuple[float, float, float, float]


def text(value: object) -> str:
    """Cluster names, reasons and notes come from files: none of them may become markup."""
    return html.escape(str(value))


def figure(name: str, value: float, shown: str) -> str:
    """A number for people that machines can read too, by its name in the JSON document of the plan."""
    return f'<data data-figure="{text(name)}" value="{text(value)}">{text(shown)}</data>'


def section(name: str, heading: str, explanation: str, *parts: str) -> str:
    lead = f'<p class="explanation">{explanation}</p>' if explanation else ""
    body = "\n".join((f'<h2 id="{name}">{text(heading)}</h2>', lead, *parts))
    return f'<section aria-labelledby="{name}">\n{body}\n</section>'


def scroller(label: str, *parts: str, kind: str = "") -> str:
    """What may be wider than a phone scrolls by itself; the tabindex lets a keyboard scroll it."""
    body = "\n".join(parts)
    return f'<div class="scroll {kind}" role="region" aria-label="{text(label)}" tabindex="0">\n{body}\n</div>'


def legend(entries: Iterable[tuple[str, str]]) -> str:
    """Classes of colour and what they mean."""
    items = "".join(f'<li><span class="swatch {kind}"></span>{text(words)}</li>' for kind, words in entries)
    return f'<ul class="legend">{items}</ul>'


def table(caption: str, headings: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: Iterable[int] = ()) -> str:
    """Cells are markup already. `numbers` are the columns that stand to the right."""
    right = dict.fromkeys(numbers, ' class="number"')
    head = "".join(f'<th scope="col"{right.get(at, "")}>{text(heading)}</th>' for at, heading in enumerate(headings))
    body = "\n".join(
        "<tr>" + "".join(f"<td{right.get(at, '')}>{cell}</td>" for at, cell in enumerate(row)) + "</tr>" for row in rows
    )
    return f"<table><caption>{text(caption)}</caption><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table>"


def folded(summary: str, *parts: str, is_open: bool = False) -> str:
    body = "\n".join(parts)
    return f"<details{' open' if is_open else ''}><summary>{text(summary)}</summary>\n{body}\n</details>"


def cell(kind: str, box: Box, title: str = "") -> str:
    """A rectangle, in the shortest spelling: a heat map has thousands."""
    x, y, width, height = box
    said = f"<title>{text(title)}</title>" if title else ""
    shape = f"M{x:g} {y:g}h{width:g}v{height:g}h-{width:g}z"
    return f'<path class="{kind}" d="{shape}">{said}</path>' if said else f'<path class="{kind}" d="{shape}"/>'
