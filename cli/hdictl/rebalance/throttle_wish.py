"""`--throttle` as a person writes it: a rate, `auto`, or `none`."""

from __future__ import annotations

from dataclasses import dataclass

from hdictl.errors import UsageError
from hdictl.rebalance.auto_throttle import Bounds
from hdictl.stack.units import byte_count

DEFAULT = "50MB"
_LEAST = 1_000  # bytes a second: Kafka's own tool takes no less


@dataclass(frozen=True)
class ThrottleWish:
    text: str
    rate: int | None  # bytes a second, in and out of every broker; None: as fast as it goes
    is_auto: bool = False


def throttle_wish(text: str) -> ThrottleWish:
    if text == "none":
        return ThrottleWish(text, None)
    if text == "auto":
        return ThrottleWish(text, Bounds().start, is_auto=True)
    try:
        rate = byte_count(text)
    except ValueError as error:
        raise UsageError(f"{error}, and neither `auto` nor `none`", where="--throttle", fix="write 50MB") from None
    if rate < _LEAST:
        raise UsageError(f"{text} a second never ends", where="--throttle", fix="give 1KB or more; 50MB is usual")
    return ThrottleWish(text, rate)
