"""The files of the specification: where they are, and what a `$ref` in one of them means."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_PROJECT = Path(__file__).parents[4]


def specification() -> Path | None:
    """The folder `specification`, or None where nobody has it."""
    named = os.environ.get("HDICTL_AZURE_SPECS")
    data = Path(named) if named else _PROJECT.parent / "shared" / "data"
    for folder in (data / "specs" / "specification", data / "specification", data):
        if (folder / "hdinsight").is_dir():
            return folder
    return None


@dataclass(frozen=True)
class Node:
    """A piece of a document, which knows where it stands: references are relative to that."""

    file: Path
    value: Mapping[str, Any]

    def get(self, key: str) -> Node | None:
        found = self.value.get(key)
        return Node(self.file, found).target() if isinstance(found, Mapping) else None

    def target(self) -> Node:
        """What is meant: the other end of a `$ref`, with what is said beside it."""
        reference = self.value.get("$ref")
        if not isinstance(reference, str):
            return self
        file, _, pointer = reference.partition("#")
        place = (self.file.parent / file).resolve() if file else self.file
        value: Any = read(place)
        for part in pointer.strip("/").split("/"):
            value = value[part.replace("~1", "/").replace("~0", "~")]
        beside = {key: each for key, each in self.value.items() if key != "$ref"}
        return Node(place, {**value, **beside}).target() if "$ref" in value else Node(place, {**value, **beside})


@cache
def read(file: Path) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8-sig"))
    return found
