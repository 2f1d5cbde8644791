"""The lines of a job's log that say why it failed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

_REASON = re.compile(
    r"Caused by: "
    r"|SpecError: "
    r"|[\w.$]+(Exception|Error): "
    r"|.*could not be established"  # a broker that does not answer; the exception only speaks of time
)
_MOST = 4
_WIDTH = 240


def reasons(lines: Sequence[str]) -> tuple[str, ...]:
    """The last word of each kind, innermost causes last; the end of the log when no line looks like a reason."""
    found = [line.strip() for line in lines if _REASON.match(line.strip()) and not line.startswith("{")]
    if not found:
        found = [line.rstrip() for line in lines if line.strip()]
    # Retries say the same again and again, with other numbers.
    last_of_kind = {re.sub(r"\d+", "", line.removeprefix("Caused by: ")): line for line in found}
    return tuple(line[:_WIDTH] for line in last_of_kind.values())[-_MOST:]


def read_lines(log: Path, *, most_bytes: int = 400_000) -> list[str]:
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - most_bytes))
            return file.read().decode("utf-8", errors="replace").splitlines()
    except OSError:
        return []
