"""A file of a pipeline, changed in one place."""

from __future__ import annotations

from pathlib import Path


def change(folder: Path, name: str, old: str, new: str) -> None:
    text = (folder / name).read_text()
    assert old in text, f"`{old}` is not in {name}"
    (folder / name).write_text(text.replace(old, new, 1))
