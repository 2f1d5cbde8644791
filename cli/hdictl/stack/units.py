"""Durations, sizes and counts as people write them: `3d`, `90s`, `50MB`, `1GiB`, `1 partition`.

Sizes follow the standards: MB is 1,000,000 bytes, MiB is 1,048,576.
"""

from __future__ import annotations

import re

from hdictl.stack.shown import shown

_DURATION = {
    "ms": 1,
    "s": 1_000,
    "m": 60_000,
    "min": 60_000,
    "h": 3_600_000,
    "d": 86_400_000,
    "w": 604_800_000,
}
_SIZE = {
    "b": 1,
    **{f"{prefix}b": 1000**power for power, prefix in enumerate("kmgt", start=1)},
    **{f"{prefix}ib": 1024**power for power, prefix in enumerate("kmgt", start=1)},
}
_QUANTITY = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]+)\s*\Z")
_LONG_MAX = 2**63 - 1
_DIGITS = 30  # Python itself refuses to read a few thousand


def milliseconds(text: str) -> int:
    """`3d` → 259200000. A bare number is not a duration: it has no unit."""
    return _quantity(text, _DURATION, "a duration such as 90s, 15m, 12h or 3d")


def byte_count(text: str) -> int:
    """`50MB` → 50000000."""
    return _quantity(text, _SIZE, "a size such as 512KB, 50MB or 1GiB")


def to_duration(ms: int) -> str:
    """The shortest exact spelling: 259200000 → `3d`."""
    for unit in ("d", "h", "m", "s"):  # nobody reads 1w as seven days at once
        if ms and ms % _DURATION[unit] == 0:
            return f"{ms // _DURATION[unit]}{unit}"
    return f"{ms}ms"


def to_size(count: int) -> str:
    """The shortest exact spelling: 1073741824 → `1GiB`."""
    for unit in ("TiB", "TB", "GiB", "GB", "MiB", "MB", "KiB", "KB"):
        factor = _SIZE[unit.lower()]
        if count and count % factor == 0:
            return f"{count // factor}{unit}"
    return f"{count}B"


def count(number: int, one: str, many: str | None = None) -> str:
    """For people, with what belongs to the number: `1 partition is`, `2 partitions are`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def rounded_size(count: float) -> str:
    """For people, three digits at most: 1410065408 → `1.41 GB`."""
    for unit in ("TB", "GB", "MB", "KB"):
        factor = _SIZE[unit.lower()]
        if count >= 0.9995 * factor:  # from here on the smaller unit would be rounded to 1000
            return f"{_three_digits(count / factor)} {unit}"
    return f"{count:.0f} B"


def rounded_duration(seconds: float) -> str:
    """For people, the two greatest units: 28200 → `7 h 50 min`."""
    if seconds < 59.5:
        return f"{seconds:.0f} s" if seconds >= 0.5 or seconds == 0 else "less than 1 s"
    if seconds < 3_570:
        return f"{round(seconds / 60)} min"
    minutes = round(seconds / 60)
    large, small = ((minutes // 60, "h"), (minutes % 60, "min"))
    if minutes >= 48 * 60:
        hours = round(seconds / 3_600)
        large, small = ((hours // 24, "d"), (hours % 24, "h"))
    return " ".join(f"{number:,} {unit}" for number, unit in (large, small) if number)


def _three_digits(value: float) -> str:
    digits = 2 if value < 9.995 else 1 if value < 99.95 else 0
    text = f"{value:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if digits else text


def _quantity(text: str, units: dict[str, int], expected: str) -> int:
    match = _QUANTITY.match(text)
    factor = units.get(match[2].lower()) if match else None
    if match is None or factor is None:
        raise ValueError(f"`{shown(text)}` is not {expected}")
    whole, _, fraction = match[1].partition(".")
    if len(match[1]) > _DIGITS:
        raise ValueError(f"`{shown(text)}` has more than {_DIGITS} digits")
    scaled = int(whole) * factor + (int(fraction) * factor // 10 ** len(fraction) if fraction else 0)
    if scaled > _LONG_MAX:
        raise ValueError(f"`{shown(text)}` is larger than Kafka's largest number")
    return scaled
