"""After apply, plan again: it must be empty, but for what was deferred."""

from __future__ import annotations

import time
from collections.abc import Callable

from hdictl.errors import VerifyFailed
from hdictl.plan.change import Plan

# A broker answers metadata requests from its own copy, which follows the controller's with a small delay.
_SETTLE_SECONDS = 15.0
_PAUSE_SECONDS = 0.25


def verify(
    plan_again: Callable[[], Plan],
    *,
    now: Callable[[], float] = time.monotonic,
    pause: Callable[[float], None] = time.sleep,
) -> Plan:
    """Plan until nothing is left to do; what is still left then is a difference."""
    deadline = now() + _SETTLE_SECONDS
    while True:
        plan = plan_again()
        if not plan.to_do:
            return plan
        if now() > deadline:
            left = ", ".join(change.address for change in plan.to_do[:5])
            raise VerifyFailed(
                f"{len(plan.to_do)} changes are still to do after apply: {left}",
                fix="see them: hdictl plan; somebody else may be changing the same topics",
            )
        pause(_PAUSE_SECONDS)
