"""Azure's times and durations (ISO 8601)."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

_DURATION = re.compile(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$")


def earlier(time: str, duration: str) -> str:
    """The time so much before another; the same one when the duration cannot be read."""
    found = _DURATION.match(duration)
    try:
        # Python 3.10 reads at most six digits of a second, Azure writes seven; and it does not know Z.
        moment = datetime.fromisoformat(re.sub(r"(\.\d{6})\d+", r"\1", time).replace("Z", "+00:00"))
    except ValueError:
        return time
    if found is None:
        return time
    days, hours, minutes, seconds = (float(part or 0) for part in found.groups())
    return (moment - timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)).isoformat()
