"""Looking into JSON of which nothing is certain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hdictl.arm.lint.marks import is_unknown_whole
from hdictl.stack.source import Path


def mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def sequence(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def at(value: Any, *path: str | int) -> Any:
    """What lies there, without regard to the case of names; None when nothing does, the mark when it is unknown."""
    for step in path:
        if is_unknown_whole(value):
            return value
        if isinstance(step, int):
            value = value[step] if isinstance(value, list) and step < len(value) else None
        elif isinstance(value, Mapping):
            value = value[step] if step in value else _folded(value, step)
        else:
            return None
    return value


def _folded(value: Mapping[str, Any], step: str) -> Any:
    return next((item for key, item in value.items() if key.lower() == step.lower()), None)


def walk(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """Every value with its path, outer ones first; a key stands beside its value, with the same path."""
    yield path, value
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield (*path, key), key
            yield from walk(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from walk(item, (*path, index))


def path_text(path: Path) -> str:
    """`resources[2].properties.tier`"""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text or "the document"
