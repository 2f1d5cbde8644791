"""How a trial of a pipeline went: what came of its fixtures beside what should have."""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hdictl.streaming.fixtures import Expected


@dataclass(frozen=True)
class FlowTrial:
    """One flow, or all dead letters. Rows are shown as JSON with sorted keys."""

    name: str
    rows: int
    missing: tuple[str, ...]  # expected, and did not come
    surplus: tuple[str, ...]  # came, and nobody expected it
    counts: tuple[tuple[str, int, int], ...]  # amounts that differ: name, expected, found
    is_checked: bool  # something was expected of it

    @property
    def is_green(self) -> bool:
        return not (self.missing or self.surplus or self.counts)


@dataclass(frozen=True)
class Trial:
    pipeline: str
    spark: str
    records: int
    batches: int
    flows: tuple[FlowTrial, ...]
    seconds: float

    @property
    def is_green(self) -> bool:
        return all(flow.is_green for flow in self.flows)


def judged(found: Mapping[str, Any], expected: Expected) -> tuple[FlowTrial, ...]:
    """`found`: what the test kit printed, by query."""
    outputs = {name: each for name, each in found.items() if each["role"] == "output"}
    trials = [
        _compared(name, each["rows"], expected.rows.get(name), each["totals"], expected.counts.get(name, {}))
        for name, each in outputs.items()
    ]
    letters = to_letters(found)
    if letters or expected.letters is not None:
        trials.append(_compared("dead_letters", letters, expected.letters, {}, {}))
    return tuple(trials)


def to_letters(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Dead letters of all sources, in the order in which they lay in their topics."""
    several = sum(1 for each in found.values() if each["role"] == "dead_letters") > 1
    letters = []
    for name, each in found.items():
        for letter in each.get("letters", []):
            source = {"source": name.removesuffix("_dead_letters")} if several else {}
            letters.append({**source, **_shown(letter["value"]), "error": letter["error"]})
    return letters


def _shown(value: str) -> dict[str, str]:
    content = base64.b64decode(value)
    try:
        return {"value": content.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": value}


def _compared(
    name: str,
    rows: list[dict[str, Any]],
    expected: list[dict[str, Any]] | None,
    totals: Mapping[str, int],
    counted: Mapping[str, int],
) -> FlowTrial:
    counts = _differing(totals, counted)
    if expected is None:
        return FlowTrial(name, len(rows), (), (), counts, is_checked=bool(counted))
    came, wanted = Counter(map(to_line, rows)), Counter(map(to_line, expected))
    missing, surplus = tuple((wanted - came).elements()), tuple((came - wanted).elements())
    return FlowTrial(name, len(rows), missing, surplus, counts, is_checked=True)


def _differing(totals: Mapping[str, int], expected: Mapping[str, int]) -> tuple[tuple[str, int, int], ...]:
    return tuple(
        (name, wanted, totals.get(name, 0)) for name, wanted in expected.items() if totals.get(name, 0) != wanted
    )


def to_line(row: Mapping[str, Any]) -> str:
    return json.dumps(row, sort_keys=True, ensure_ascii=False)
