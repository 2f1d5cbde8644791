"""Small files that a stack names."""

from __future__ import annotations

from pathlib import Path

_LARGEST = 1_000_000


def read_small_file(path: Path) -> str:
    """The text of a file; OSError or ValueError when there is none, or when it is no small text."""
    if path.exists() and not path.is_file():
        raise ValueError("it is not a plain file")  # a pipe or a device may never end
    if path.is_file() and path.stat().st_size > _LARGEST:
        raise ValueError(f"larger than {_LARGEST:,} bytes")
    return path.read_text(encoding="utf-8-sig")
