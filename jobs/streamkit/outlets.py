"""Where progress goes: to stdout, to a file, to the job's folder, and to Kafka as the position of a consumer group."""

from __future__ import annotations

import json
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Callable

from streamkit.errors import JobError
from streamkit.failures import JVM_ERRORS
from streamkit.kafka_admin import KafkaAdmin
from streamkit.progress import Line, Outlet
from streamkit.storage import Storage

_KEPT_LINES = 100
_PAUSE_SECONDS = 1.0


def to_stdout(line: Line) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def to_file(path: Path) -> Outlet:
    def write(line: Line) -> None:
        with path.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(line) + "\n")

    return write


class Board:
    """`_progress/state.json` in the job's folder: how the run stands, for whoever cannot see its stdout.

    It is written no more than once a second, and always when the run ends: what runs on a cluster is forgotten by it
    minutes after.
    """

    NAME = "_progress/state.json"

    def __init__(self, storage: Storage, run: dict[str, Any], clock: Callable[[], float] = time.time) -> None:
        self._storage = storage
        self._clock = clock
        self._state: dict[str, Any] = {"version": 1, **run, "state": "starting", "queries": {}, "recent": []}
        self._tried = 0.0
        self._is_new = False

    def __call__(self, line: Line) -> None:
        event = line["event"]
        self._state["recent"] = [*self._state["recent"], line][-_KEPT_LINES:]
        if event in ("batch", "resumed"):
            self._state["queries"][line["query"]] = line
        if event in ("started", "stopped", "failed"):
            self._state["state"] = {"started": "running"}.get(event, event)
        if event == "failed":
            self._state["error"] = {"what": line["what"], "fix": line["fix"]}
        self._is_new = True
        if event in ("stopped", "failed"):
            self.flush()
        elif event == "started":
            with suppress(*JVM_ERRORS):  # it is tried again, now and then
                self.flush()

    def flush_now_and_then(self) -> None:
        """May fail: what was to be written stays, and is written the next time."""
        if self._is_new and self._clock() - self._tried > _PAUSE_SECONDS:
            self.flush()

    def flush(self) -> None:
        self._tried = self._clock()
        self._state["at"] = round(self._tried * 1000)
        self._storage.write(self.NAME, json.dumps(self._state))
        self._is_new = False


class GroupPositions:
    """After each batch, a consumer group per query says how far it has read: every Kafka tool then shows its lag.

    Spark itself never commits. A commit that fails is told once and harms nothing: the checkpoint is the truth.
    """

    def __init__(self, kafka: KafkaAdmin, prefix: str, warn: Outlet) -> None:
        self._kafka = kafka
        self._prefix = prefix
        self._warn = warn
        self._has_warned = False

    def __call__(self, line: Line) -> None:
        if line["event"] not in ("batch", "resumed") or not line["end_offsets"]:
            return
        group = f"{self._prefix}.{line['query']}"
        try:
            self._kafka.commit(group, line["end_offsets"])
        except JobError as error:
            if not self._has_warned:
                self._has_warned = True
                self._warn({"event": "warning", "query": line["query"], "what": f"group `{group}`: {error.what}"})
