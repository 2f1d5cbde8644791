"""Page views with known faults, in waves, from a seed.

What is late depends, in a stream, on how the records happen to be split into micro-batches. Here it does not:

    wave 1, 2   all their event times lie within one watermark delay, so no split makes any of them late
    heartbeat   moves the watermark behind all of them. A heartbeat is an event that nobody counts: it says how far
                time has come, as a source does that would otherwise be silent
    wave 3      events older than that watermark, late for certain, among others newer than it
    heartbeat   moves the watermark behind every window, so that all of them come out

It holds when a wave is sent only after the job has committed the one before (`Wave.is_awaited`).
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from hdictl.workflow.demo.truth import MINUTE, Truth

PAGES = ("/", "/cart", "/checkout", "/help", "/search", *(f"/product/{number}" for number in range(1, 8)))

Message = tuple[bytes | None, bytes | None]
Event = dict[str, object]


@dataclass(frozen=True)
class Settings:
    seed: int = 2026
    views: int = 24_000  # about; faulty records come on top
    users: int = 500
    start: int = 1_767_225_600_000  # 2026-01-01T00:00Z
    delay: int = 10 * MINUTE  # of the pipeline's watermark
    duplicate_share: float = 0.03
    late: int = 400
    dead_share: float = 0.01
    tombstones: int = 5


@dataclass(frozen=True)
class Wave:
    title: str
    messages: tuple[Message, ...]
    watermark: int  # how far the watermark is once all of it is processed, in milliseconds since the epoch
    is_awaited: bool  # nothing more may be sent before the job has committed it


@dataclass(frozen=True)
class Scenario:
    waves: tuple[Wave, ...]
    truth: Truth


@dataclass
class _Maker:
    settings: Settings
    random: random.Random
    truth: Truth = field(default_factory=Truth)
    newest: int = 0
    made: int = 0
    waves: list[Wave] = field(default_factory=list)

    def views(self, number: int, first: int, last: int) -> list[Event]:
        """Page views between two minutes, in no order."""
        start = self.settings.start
        return [self._view(self.random.randrange(start + first * MINUTE, start + last * MINUTE)) for _ in range(number)]

    def _view(self, at: int) -> Event:
        self.made += 1
        user = self.random.randrange(self.settings.users)
        weights = [1 / rank for rank in range(1, len(PAGES) + 1)]
        page = self.random.choices(PAGES, weights)[0]
        return {
            "event_id": f"{self.settings.seed:x}-{self.made:07d}",
            "event_type": "page_view",
            "event_time": at,
            "page": page,
            "user_id": f"user-{user:04d}",
        }

    def send(self, title: str, on_time: Sequence[Event], late: Sequence[Event], *, is_awaited: bool) -> None:
        copies = [self.random.choice(on_time) for _ in range(int(len(on_time) * self.settings.duplicate_share))]
        broken = [self._broken(number) for number in range(int(len(on_time) * self.settings.dead_share))]
        messages = [_message(event) for event in [*on_time, *late, *copies]] + broken
        messages += [(b"user-0000", None)] * self.settings.tombstones
        self.random.shuffle(messages)
        self.truth.add_views(on_time)
        self.truth.produced += len(messages)
        self.truth.late += len(late)
        self.truth.duplicates += len(copies)
        self.truth.dead += len(broken)
        self.truth.tombstones += self.settings.tombstones
        self.newest = max([self.newest, *(int(str(event["event_time"])) for event in on_time)])
        self._close(title, messages, is_awaited=is_awaited)

    def heartbeat(self, minute: int) -> None:
        self.made += 1
        self.newest = self.settings.start + minute * MINUTE
        event = {
            "event_id": f"{self.settings.seed:x}-{self.made:07d}",
            "event_type": "heartbeat",
            "event_time": self.newest,
        }
        self.truth.produced += 1
        self.truth.heartbeats += 1
        self._close("heartbeat", [_message(event)], is_awaited=True)

    def _close(self, title: str, messages: list[Message], *, is_awaited: bool) -> None:
        self.waves.append(Wave(title, tuple(messages), self.newest - self.settings.delay, is_awaited))

    def _broken(self, number: int) -> Message:
        event = self.views(1, 0, 1)[0]
        return str(event["user_id"]).encode(), _FAULTS[number % len(_FAULTS)](event).encode()


def scenario(settings: Settings = Settings()) -> Scenario:  # noqa: B008 (frozen)
    maker = _Maker(settings, random.Random(settings.seed))  # noqa: S311 (reproducible on purpose)
    share = settings.views // 5
    first = maker.views(2 * share, 0, 5)
    maker.send("wave 1: on time, out of order", first, [], is_awaited=False)
    second = maker.views(2 * share, 4, 8)
    maker.send("wave 2: on time, out of order", second, [], is_awaited=True)
    maker.heartbeat(20)
    # A copy of an event that the job has long counted is late as well, and not a duplicate: its id is forgotten.
    stragglers = maker.views(settings.late - settings.late // 8, 0, 8) + first[: settings.late // 8]
    maker.send("wave 3: late and on time", maker.views(share, 12, 18), stragglers, is_awaited=True)
    maker.heartbeat(40)
    return Scenario(tuple(maker.waves), maker.truth)


def _message(event: Event) -> Message:
    key = str(event.get("user_id", event["event_type"]))
    return key.encode(), json.dumps(event, separators=(",", ":")).encode()


def _with(**changes: object) -> Callable[[Event], str]:
    return lambda event: json.dumps({**event, **changes}, separators=(",", ":"))


def _without(name: str) -> Callable[[Event], str]:
    return lambda event: json.dumps({key: value for key, value in event.items() if key != name})


# What producers get wrong, each in turn.
_FAULTS: tuple[Callable[[Event], str], ...] = (
    lambda event: json.dumps(event)[:-20],  # cut short
    _with(event_time="yesterday"),  # wrong type
    lambda _event: "",  # empty
    lambda _event: "{}",
    _without("event_id"),
    _without("page"),
    _with(event_type="purchase"),
    _with(event_time=32_503_680_000_000),  # the year 3000: a clock that is wrong
    lambda event: json.dumps([event, event]),  # two at once
    lambda event: json.dumps(event) * 2,
)
