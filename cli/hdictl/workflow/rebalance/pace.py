"""How often a rebalance looks, tells and gives up, in seconds."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Pace:
    look: float = 0.2  # between two looks at moves under way
    weigh: float = 2.0  # between two looks at sizes: every broker walks through its log directories
    sample: float = 2.0  # between two decisions of `--throttle auto`
    tell: float = 30.0  # what is waited for is told again
    settle: float = 60.0  # news reach all brokers, leaders change, settings are taken
    patience: float = 900.0  # without any gain: a broker stays away, or more is written than the throttle lets through
    now: Callable[[], float] = time.monotonic
    clock: Callable[[], float] = time.time  # of the day, to be compared with a broker's own
    pause: Callable[[float], None] = time.sleep


DEFAULT_PACE = Pace()
