"""The topic-level settings of Kafka 3.2: what each is called, what it may be, and its one canonical spelling.

Kafka compares and returns settings as text. `to_canonical` turns what a person writes (`3d`, `1GiB`, true) into the
text that Kafka would return, so that a plan never shows a difference of spelling.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from hdictl.stack.shown import shown
from hdictl.stack.suggest import did_you_mean
from hdictl.stack.units import byte_count, milliseconds, to_duration, to_size

_INT_MAX = 2**31 - 1
_LONG_MAX = 2**63 - 1


class Unit(Enum):
    MILLISECONDS = "ms"
    BYTES = "bytes"
    COUNT = "count"
    RATIO = "ratio"
    BOOLEAN = "boolean"
    WORD = "word"
    TEXT = "text"


@dataclass(frozen=True)
class TopicSetting:
    unit: Unit
    low: int = 0
    high: int = _LONG_MAX
    words: tuple[str, ...] = ()
    is_list: bool = False
    is_internal: bool = False  # set by reassignment, never by a person


_MS = TopicSetting(Unit.MILLISECONDS)
_BOOLEAN = TopicSetting(Unit.BOOLEAN)

TOPIC_SETTINGS: dict[str, TopicSetting] = {
    "cleanup.policy": TopicSetting(Unit.WORD, words=("compact", "delete"), is_list=True),
    "compression.type": TopicSetting(Unit.WORD, words=("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer")),
    "delete.retention.ms": _MS,
    "file.delete.delay.ms": _MS,
    "flush.messages": TopicSetting(Unit.COUNT, low=1),
    "flush.ms": _MS,
    "follower.replication.throttled.replicas": TopicSetting(Unit.TEXT, is_internal=True),
    "index.interval.bytes": TopicSetting(Unit.BYTES, high=_INT_MAX),
    "leader.replication.throttled.replicas": TopicSetting(Unit.TEXT, is_internal=True),
    "max.compaction.lag.ms": TopicSetting(Unit.MILLISECONDS, low=1),
    "max.message.bytes": TopicSetting(Unit.BYTES, high=_INT_MAX),
    "message.downconversion.enable": _BOOLEAN,
    "message.format.version": TopicSetting(Unit.TEXT),
    "message.timestamp.difference.max.ms": _MS,
    "message.timestamp.type": TopicSetting(Unit.WORD, words=("CreateTime", "LogAppendTime")),
    "min.cleanable.dirty.ratio": TopicSetting(Unit.RATIO, high=1),
    "min.compaction.lag.ms": _MS,
    "min.insync.replicas": TopicSetting(Unit.COUNT, low=1, high=_INT_MAX),
    "preallocate": _BOOLEAN,
    "retention.bytes": TopicSetting(Unit.BYTES, low=-1),
    "retention.ms": TopicSetting(Unit.MILLISECONDS, low=-1),
    "segment.bytes": TopicSetting(Unit.BYTES, low=14, high=_INT_MAX),
    "segment.index.bytes": TopicSetting(Unit.BYTES, low=4, high=_INT_MAX),
    "segment.jitter.ms": _MS,
    "segment.ms": TopicSetting(Unit.MILLISECONDS, low=1),
    "unclean.leader.election.enable": _BOOLEAN,
}


def to_canonical(key: str, value: bool | int | float | str) -> str:
    """The text Kafka returns for this value; ValueError says what is wrong with it. Unknown keys pass as they are."""
    setting = TOPIC_SETTINGS.get(key)
    if setting is None:
        return str(value).lower() if isinstance(value, bool) else str(value)
    if setting.unit is Unit.BOOLEAN:
        return _boolean(key, value)
    if isinstance(value, bool):
        raise ValueError(f"`{key}` is not a yes or no")
    if setting.unit is Unit.RATIO:
        return _ratio(key, value)
    if setting.unit is Unit.WORD:
        return _words(key, setting, str(value))
    return str(value) if setting.unit is Unit.TEXT else str(_number(key, setting, value))


def to_readable(key: str, value: str) -> bool | int | float | str:
    """The way a person would write what Kafka returned: the inverse of `to_canonical`."""
    setting = TOPIC_SETTINGS.get(key)
    if setting is None:
        return value
    if setting.unit is Unit.BOOLEAN:
        return value == "true"
    if setting.unit is Unit.RATIO:
        return float(value)
    if setting.unit in (Unit.WORD, Unit.TEXT):
        return value
    number = int(value)
    if number <= 0 or number == setting.high or setting.unit is Unit.COUNT:
        return number
    return to_duration(number) if setting.unit is Unit.MILLISECONDS else to_size(number)


def _boolean(key: str, value: bool | int | float | str) -> str:
    text = str(value).lower()
    if text not in ("true", "false"):
        raise ValueError(f"`{key}` must be true or false, not `{shown(value)}`")
    return text


def _ratio(key: str, value: int | float | str) -> str:
    try:
        ratio = float(value)
    except ValueError:
        raise ValueError(f"`{key}` must be a number from 0 to 1, not `{shown(value)}`") from None
    if not 0 <= ratio <= 1:
        raise ValueError(f"`{key}` must be from 0 to 1, not {ratio}")
    return str(ratio)


def _words(key: str, setting: TopicSetting, value: str) -> str:
    words = [word.strip() for word in value.split(",")] if setting.is_list else [value]
    for word in words:
        if word not in setting.words:
            choice = ", ".join(setting.words)
            raise ValueError(
                f"`{key}` cannot be `{shown(word)}`{did_you_mean(shown(word), setting.words)}; it is one of {choice}"
            )
    return ",".join(sorted(set(words))) if setting.is_list else value


def _number(key: str, setting: TopicSetting, value: int | float | str) -> int:
    if isinstance(value, float) and not value.is_integer():
        raise ValueError(f"`{key}` must be a whole number, not {value}")
    number = int(value) if isinstance(value, (int, float)) else _spelled(key, setting, value)
    if not setting.low <= number <= setting.high:
        raise ValueError(f"`{key}` must be from {setting.low} to {setting.high}, not {number}")
    return number


def _spelled(key: str, setting: TopicSetting, value: str) -> int:
    text = value.strip()
    if text in ("unlimited", "forever", "infinite") and setting.low == -1:
        return -1
    if re.fullmatch(r"-?[0-9]{1,30}", text):
        return int(text)
    if setting.unit is Unit.MILLISECONDS:
        return milliseconds(text)
    if setting.unit is Unit.BYTES:
        return byte_count(text)
    raise ValueError(f"`{key}` must be a whole number, not `{shown(value)}`")
