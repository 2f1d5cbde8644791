"""Reading the log of a process: its end, what matters in it, and what is being written to it."""

from __future__ import annotations

import os
import re
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

_TROUBLE = re.compile(
    r"\b(ERROR|FATAL)\b|^[\w.$]+(Exception|Error)\b|^Caused by:|^Exception in thread|^Error\b|^Terminating due to"
)
_NOISE = "skip writing class"  # what Java 11 says while it lists the classes it loads
_RECENT = 400  # lines
_POLL = 0.25  # seconds between looks at a log that is followed


def last_lines(log: Path, count: int) -> list[str]:
    try:
        with log.open(errors="replace") as stream:
            return [line.rstrip("\n") for line in deque(stream, maxlen=count)]
    except OSError:
        return []


def telling_lines(log: Path, console: Path, count: int) -> tuple[str, ...]:
    """Why it did not start: the last troubles in the log, or else its end, and what the JVM itself said."""
    recent = last_lines(log, _RECENT)
    troubles = [line for line in recent if _TROUBLE.search(line)]
    return tuple((troubles or recent)[-count:] + _said_by_jvm(console))[-count:]


def last_words(log: Path, console: Path, count: int) -> tuple[str, ...]:
    """How it ended after it had run: the end of the log (troubles may be from long before), and what the JVM said."""
    return tuple(last_lines(log, count) + _said_by_jvm(console))[-count:]


def _said_by_jvm(console: Path) -> list[str]:
    return [line for line in last_lines(console, _RECENT) if line.strip() and not line.startswith(_NOISE)]


def follow(log: Path, lines: int, *, sleep: Callable[[float], None] = time.sleep) -> Iterator[str]:
    """The last `lines` lines, then every line as it is written, through rotations, until the reader stops."""
    stream = log.open(errors="replace")
    try:
        yield from [line.rstrip("\n") for line in deque(stream, maxlen=lines)]
        held = ""
        while True:
            held += stream.readline()
            if held.endswith("\n"):
                yield held.rstrip("\n")
                held = ""
                continue
            sleep(_POLL)
            if _is_rotated(log, stream.fileno()):
                stream.close()
                stream = log.open(errors="replace")
    finally:
        stream.close()


def _is_rotated(log: Path, descriptor: int) -> bool:
    try:
        return log.stat().st_ino != os.fstat(descriptor).st_ino
    except OSError:
        return False  # between two renames: look again later
