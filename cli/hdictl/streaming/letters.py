"""Dead letters: records that a job could not use, with the reason in their headers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

Headers = tuple[tuple[str, bytes | None], ...]

# What a job says of a dead letter, behind the record's own headers; jobs/streamkit/records.py writes it.
_TOLD = ("error", "pipeline", "topic", "partition", "offset", "timestamp")
_TRUNCATED = "truncated"  # before those, of a record that is larger than the topic of letters takes


@dataclass(frozen=True)
class DeadLetter:
    """One record of a dead-letter topic, and where it lay before."""

    topic: str  # of dead letters
    partition: int
    offset: int
    error: str
    origin: str  # the topic it was read from
    origin_partition: int
    origin_offset: int
    timestamp: int
    key: bytes | None
    value: bytes | None
    headers: Headers = ()  # those that it had before
    whole_bytes: int | None = None  # of the value, where the letter has only its first part

    @property
    def kind(self) -> str:
        """`missing` of `missing:a,b`."""
        return self.error.partition(":")[0]


Content = tuple[bytes | None, bytes | None]  # key and value


def to_letter(topic: str, place: tuple[int, int], content: Content, headers: Headers) -> DeadLetter | None:
    """None for a record that no job of ours has written."""
    own, told = headers[: -len(_TOLD)], headers[-len(_TOLD) :]
    if tuple(name for name, _value in told) != _TOLD:
        return None
    is_cut = bool(own) and own[-1][0] == _TRUNCATED
    said = {name: (value or b"").decode(errors="replace") for name, value in told}
    try:
        return DeadLetter(
            topic=topic,
            partition=place[0],
            offset=place[1],
            error=said["error"],
            origin=said["topic"],
            origin_partition=int(said["partition"]),
            origin_offset=int(said["offset"]),
            timestamp=int(said["timestamp"]),
            key=content[0],
            value=content[1],
            headers=own[:-1] if is_cut else own,
            whole_bytes=int(own[-1][1] or b"0") if is_cut else None,
        )
    except ValueError:
        return None


def by_error(letters: Iterable[DeadLetter]) -> list[tuple[str, int]]:
    """Errors with how often they occur, the most frequent first."""
    return Counter(letter.error for letter in letters).most_common()


def is_wanted(letter: DeadLetter, error: str | None) -> bool:
    """`error`: the whole of it (`missing:page`), or its kind (`missing`)."""
    return error is None or error in (letter.error, letter.kind)
