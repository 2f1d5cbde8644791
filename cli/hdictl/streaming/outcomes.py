"""What is going to be done to a job, and what was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hdictl.errors import HdictlError
from hdictl.streaming.letters import DeadLetter
from hdictl.streaming.replay_marks import ReplayMarks
from hdictl.streaming.state import JobStatus

UNCHANGED, STARTED, RESTARTED = "unchanged", "started", "restarted"


@dataclass(frozen=True)
class Stopped:
    """How a job was stopped. It may have been over already."""

    name: str
    was_running: bool
    was_killed: bool
    seconds: float


@dataclass(frozen=True)
class Submitted:
    name: str
    action: str  # unchanged, started or restarted
    status: JobStatus
    was_killed: bool = False  # the run before, because it did not stop in time


@dataclass(frozen=True)
class FailedJob:
    """One of several, of which the others were seen to all the same."""

    name: str
    error: HdictlError


@dataclass(frozen=True)
class LostState:
    """What a query remembers and a reset lays aside: windows, sessions and joins that were open at the watermark."""

    query: str
    operators: tuple[str, ...]  # none when the note beside the checkpoint cannot be read
    watermark_ms: int  # 0: none yet


@dataclass(frozen=True)
class ResetPlan:
    """What a reset will do. Nothing is thrown away: checkpoints, and the data of file sinks, are moved aside."""

    job: str
    queries: tuple[str, ...]
    moved: tuple[tuple[str, str], ...]  # from, to
    starting_offsets: Mapping[str, Any]  # source → where it begins, as Spark writes it
    skipped: Mapping[str, int]  # topic → records that will not be read, as far as is known
    again: Mapping[str, int]  # topic → records that will be read again
    lost: tuple[LostState, ...] = ()
    damage: tuple[str, ...] = ()  # files that cannot be read: what is skipped or read again may be more


@dataclass(frozen=True)
class Replay:
    """What is sent again. `marks`: how far letters have been sent then, for the next time."""

    letters: tuple[DeadLetter, ...]
    passed_over: int  # that were sent again before
    marks: ReplayMarks
    cut: int = 0  # of which only the first part is there: they are not sent

    @property
    def targets(self) -> Mapping[str, int]:
        counts: dict[str, int] = {}
        for letter in self.letters:
            counts[letter.origin] = counts.get(letter.origin, 0) + 1
        return counts
