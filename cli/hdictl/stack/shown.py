"""What a person wrote, short enough for a message."""

from __future__ import annotations


def shown(text: object, limit: int = 60) -> str:
    whole = str(text)
    return whole if len(whole) <= limit else f"{whole[: limit - 1]}…"
