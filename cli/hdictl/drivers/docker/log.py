"""What a container said, and which lines of it matter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hdictl.drivers.docker.engine import Engine
from hdictl.drivers.docker.labels import Container

_DEPTH: Final = 400  # lines: a fatal error is followed by its stack trace and a hundred lines of shutting down


def log_of_last_run(engine: Engine, container: Container) -> list[str]:
    since = ["--since", f"{container.started:.0f}"] if container.started else []
    return list(engine.lines("logs", "--tail", str(_DEPTH), *since, container.id))


def telling_lines(lines: Sequence[str], count: int = 10) -> tuple[str, ...]:
    """Errors, each with the exception's own line; where there are none, the last lines."""
    told: list[str] = []
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if " ERROR " in line or " FATAL " in line:
            told.append(line)
            if following and not following.startswith(("[", "\t")):
                told.append(following)
    return tuple(told[:count] or lines[-count:])
