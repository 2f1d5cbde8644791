"""Overlays and environment variables: what happens between the files and the model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hdictl.stack.finding import Mark
from hdictl.stack.source import Path, Source

_VARIABLE = re.compile(r"\$(?:(\$)(?=\{)|\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}|(\{[^}]*\}?))")


@dataclass(frozen=True)
class Unset:
    """A variable that the file names and the environment does not have, or a `${…}` that is not well formed."""

    path: Path
    name: str
    mark: Mark
    is_malformed: bool = False


def overlay(base: Source, over: Source) -> Source:
    """`over` laid on `base`: mappings merge by name, everything else is replaced, `null` takes a key away."""
    marks = dict(base.marks)

    def merge(low: Any, high: Any, path: Path) -> Any:
        if not (isinstance(low, dict) and isinstance(high, dict)):
            _adopt_marks(marks, over.marks, path, high)
            return high
        merged = dict(low)
        for key, value in high.items():
            inner = (*path, key)
            if value is None and key in merged:
                del merged[key]
            elif key in merged:
                merged[key] = merge(merged[key], value, inner)
            else:
                merged[key] = value
                _adopt_marks(marks, over.marks, inner, value)
        return merged

    return Source(merge(base.data, over.data, ()), marks, base.file)


def _adopt_marks(marks: dict[Path, Mark], others: Mapping[Path, Mark], path: Path, value: Any) -> None:
    """What was written anew at `path` is where the overlay wrote it."""
    if path in others:
        marks[path] = others[path]
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        _adopt_marks(marks, others, (*path, key), part)


def substitute(source: Source, environ: Mapping[str, str]) -> tuple[Source, tuple[Unset, ...]]:
    """Replace `${NAME}` and `${NAME:-default}` in every text value; `$${` stays a plain `${`.

    Values are replaced after parsing, so that no value can change the shape of the file.
    """
    unset: list[Unset] = []

    def in_text(text: str, path: Path) -> str:
        def replaced(match: re.Match[str]) -> str:
            escaped, name, default, malformed = match.groups()
            if escaped:
                return "$"
            if malformed is not None:
                unset.append(Unset(path, match[0], source.mark(path), is_malformed=True))
                return match[0]
            value = environ.get(name) or default
            if value is None:
                unset.append(Unset(path, name, source.mark(path)))
                return match[0]
            return value

        return _VARIABLE.sub(replaced, text) if "$" in text else text

    def walk(value: Any, path: Path) -> Any:
        if isinstance(value, str):
            return in_text(value, path)
        if isinstance(value, dict):
            return {key: walk(inner, (*path, key)) for key, inner in value.items()}
        if isinstance(value, list):
            return [walk(inner, (*path, index)) for index, inner in enumerate(value)]
        return value

    data = walk(source.data, ())
    return Source(data, source.marks, source.file), tuple(unset)
