"""Names within a job's folder, the same wherever the folder lies."""

from __future__ import annotations

import uuid


def parts_of(path: str) -> tuple[str, ...]:
    """The names that a path consists of; none for the folder itself. One that leads out of it is a mistake of ours."""
    names = tuple(path.split("/")) if path else ()
    if any(name in ("", ".", "..") or "\\" in name for name in names):
        raise ValueError(f"`{path}` is not a path within a job's folder")
    return names


def file_parts(path: str) -> tuple[str, ...]:
    """The same, of what cannot be the folder itself."""
    names = parts_of(path)
    if not names:
        raise ValueError("a job's folder is not a file")
    return names


def draft_name(name: str) -> str:
    """Where a file is written before it takes its name: beside it, its own for each writer. Spark passes over files
    whose names begin with a dot."""
    return f".{name}.{uuid.uuid4().hex}.draft"


def is_draft(name: str) -> bool:
    """One that a writer left behind is no file of the job's."""
    return name.startswith(".") and name.endswith(".draft")
