"""What waiting is done by."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Clock:
    now: Callable[[], float] = time.monotonic  # seconds
    pause: Callable[[float], None] = time.sleep


REAL = Clock()
