"""Kafka's settings as people write them."""

from __future__ import annotations

from hdictl.stack.topic_config import to_readable


def setting_text(key: str, value: str) -> str:
    """`3d` for a retention.ms of 259200000; what cannot be read so stays as it is."""
    try:
        readable = to_readable(key, value)
    except ValueError:
        return value
    return str(readable).lower() if isinstance(readable, bool) else str(readable)
