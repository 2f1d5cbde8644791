"""Waiting for what takes its time."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 120.0  # of a machine that others use as well


def until(holds: Callable[[], bool], patience: float = PATIENCE, pause: float = 0.1) -> None:
    deadline = time.monotonic() + patience
    while not holds():
        assert time.monotonic() < deadline, "it never came so far"
        time.sleep(pause)
