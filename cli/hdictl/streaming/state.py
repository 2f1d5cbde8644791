"""How a job stands: what whoever runs it knows, and what the job has said about itself in its folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

BOARD = "_progress/state.json"
BOARD_DRAFT = f"{BOARD}.draft"  # the job writes it first: Hadoop does not rename over a file that is there
SUBMITTED = "_control/submitted.json"
STOP = "_control/stop"
STARTING_OFFSETS = "_control/starting_offsets.json"

ABSENT, STARTING, RUNNING, STOPPING, STOPPED, FAILED, LOST = (
    "absent", "starting", "running", "stopping", "stopped", "failed", "lost",
)  # fmt: skip


@dataclass(frozen=True)
class QueryState:
    """The last micro-batch of a query."""

    name: str
    role: str
    batch: int | None
    input_rows: int
    output_rows: int
    duration_ms: int
    state_rows: int
    late_rows: int
    dead: int
    watermark: str | None
    end_offsets: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Board:
    """What the job itself has written last."""

    state: str
    at: int  # milliseconds since the epoch
    fingerprint: str
    spark: str
    queries: tuple[QueryState, ...]
    recent: tuple[Mapping[str, Any], ...]
    error: str | None = None
    fix: str | None = None

    @property
    def warnings(self) -> tuple[str, ...]:
        found = (line for line in self.recent if line.get("event") == "warning")
        return tuple(f"{line.get('query', 'job')}: {line.get('what', '')}" for line in found)


@dataclass(frozen=True)
class JobStatus:
    name: str
    pipeline: str
    state: str
    id: str | None = None
    started: float | None = None
    fingerprint: str | None = None  # of what was submitted
    is_current: bool | None = None  # what was submitted is what the stack says; None: nobody has compared
    board: Board | None = None
    notes: tuple[str, ...] = field(default=())
    is_in_stack: bool = True  # else it was taken out of the file, and goes on

    @property
    def is_well(self) -> bool:
        return self.state in (RUNNING, STARTING, STOPPED, STOPPING, ABSENT)


def read_board(content: bytes | None) -> Board | None:
    """None when there is none, when it is being written at this moment, or when it is none of ours."""
    try:
        return _board(json.loads(content or b""))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _board(found: Mapping[str, Any]) -> Board:
    error = found.get("error") or {}
    return Board(
        state=found["state"],
        at=found.get("at", 0),
        fingerprint=found.get("fingerprint", ""),
        spark=found.get("spark", ""),
        queries=tuple(_query(line) for line in found.get("queries", {}).values()),
        recent=tuple(line for line in found.get("recent", ()) if isinstance(line, dict)),
        error=error.get("what"),
        fix=error.get("fix") or None,
    )


def ended_by_force(content: bytes | None, fingerprint: str | None) -> bytes:
    """The board of a run that could not say goodbye: what it said last, and that it was stopped."""
    try:
        said = json.loads(content or b"{}")
    except ValueError:
        said = {}
    said = said if isinstance(said, dict) else {}
    kept = said if fingerprint is None or said.get("fingerprint") == fingerprint else {"fingerprint": fingerprint}
    return json.dumps({**kept, "state": FAILED if kept.get("state") == FAILED else STOPPED}).encode()


def _query(line: Mapping[str, Any]) -> QueryState:
    return QueryState(
        name=line["query"],
        role=line["role"],
        batch=line.get("batch", line.get("after_batch")),
        input_rows=line.get("input_rows", 0),
        output_rows=line.get("output_rows", 0),
        duration_ms=line.get("duration_ms", 0),
        state_rows=line.get("state_rows", 0),
        late_rows=line.get("late_rows", 0),
        dead=line.get("dead", 0),
        watermark=line.get("watermark"),
        end_offsets=line.get("end_offsets", {}),
    )
