"""The lines of a job's log that say why it failed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

_REASON = re.compile(r"^(Caused by: |SpecError: |\S*(Exception|Error): |\S+: (\[\w+\] )?.*(Exception|Error): )")
_MOST = 6
_WIDTH = 300


def reasons(lines: Sequence[str]) -> tuple[str, ...]:
    """The innermost causes last, each once; the end of the log when no line looks like a reason."""
    found = [line.strip()[:_WIDTH] for line in lines if _REASON.match(line.strip()) and not line.startswith("{")]
    if not found:
        found = [line.rstrip()[:_WIDTH] for line in lines if line.strip()]
    return tuple(dict.fromkeys(found[-_MOST * 4 :]))[-_MOST:]


def read_lines(log: Path, *, most_bytes: int = 400_000) -> list[str]:
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - most_bytes))
            return file.read().decode("utf-8", errors="replace").splitlines()
    except OSError:
        return []
