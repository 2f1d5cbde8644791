"""Several files that belong together, written as one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def write_files(folder: Path, texts: Mapping[str, str]) -> tuple[Path, ...]:
    """All of them or none: each takes its name only when every one is on the disk."""
    folder.mkdir(parents=True, exist_ok=True)
    partial = {folder / f".{name}.partial": folder / name for name in texts}
    try:
        for written, text in zip(partial, texts.values(), strict=True):
            written.write_text(text, encoding="utf-8", newline="\n")
        for written, file in partial.items():
            written.replace(file)
    finally:
        for written in partial:
            written.unlink(missing_ok=True)
    return tuple(partial.values())
