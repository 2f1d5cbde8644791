"""How far dead letters have been sent again, by what they were chosen by. Kept in the job's folder: the offsets of a
consumer group without members are dropped by Kafka after a week, and everything would be sent again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from hdictl.streaming.letters import DeadLetter

FILE = "_control/replayed.json"
_VERSION = 1

Places = Mapping[str, Mapping[int, int]]  # topic → partition → first offset that was not looked at


@dataclass(frozen=True)
class ReplayMarks:
    topics: Mapping[str, str] = field(default_factory=dict)  # of dead letters → id
    sent: Mapping[str, Places] = field(default_factory=dict)  # error that was chosen, or nothing → how far

    def was_sent(self, letter: DeadLetter) -> bool:
        """It can have been chosen by nothing, by its kind or by its whole error."""
        before = (self.sent.get(chosen, {}) for chosen in ("", letter.kind, letter.error))
        return any(letter.offset < places.get(letter.topic, {}).get(letter.partition, 0) for places in before)

    def of(self, topics: Mapping[str, str]) -> ReplayMarks:
        """Without those of topics that were made anew: they would hide letters that nobody has sent."""
        kept = {
            chosen: {topic: parts for topic, parts in places.items() if self.topics.get(topic) == topics.get(topic)}
            for chosen, places in self.sent.items()
        }
        return ReplayMarks(topics, kept)

    def noted(self, error: str | None, seen: Places) -> ReplayMarks:
        return ReplayMarks(self.topics, {**self.sent, error or "": {**self.sent.get(error or "", {}), **seen}})


def to_content(marks: ReplayMarks) -> bytes:
    return json.dumps({"version": _VERSION, "topics": dict(marks.topics), "sent": marks.sent}, indent=2).encode()


def read_marks(content: bytes | None) -> ReplayMarks:
    """None where nothing was sent yet. ValueError when it is not one: to take it for none would send all again."""
    if content is None:
        return ReplayMarks()
    try:
        found = json.loads(content)
        if found["version"] != _VERSION:
            raise ValueError(f"it is of version {found['version']}")
        sent = {
            chosen: {
                topic: {int(number): int(offset) for number, offset in parts.items()} for topic, parts in places.items()
            }
            for chosen, places in found["sent"].items()
        }
        return ReplayMarks({topic: str(id) for topic, id in found["topics"].items()}, sent)
    except (KeyError, TypeError, AttributeError):
        raise ValueError("it is none of ours") from None
