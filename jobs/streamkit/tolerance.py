"""A storage that does not answer for a moment ends no job: what was to be written or looked for is tried again."""

from __future__ import annotations

import time
from typing import Callable, TypeVar

from streamkit.failures import JVM_ERRORS, explained, is_full_disk, text_of
from streamkit.progress import Outlet

T = TypeVar("T")
_PATIENCE_SECONDS = 180.0


class Tolerance:
    """For one thing that a job does again and again. A failure is told once; one that lasts ends the job."""

    def __init__(self, job: str, what: str, warn: Outlet, clock: Callable[[], float] = time.monotonic) -> None:
        self._job = job
        self._what = what
        self._warn = warn
        self._clock = clock
        self._fails_since: float | None = None
        self._has_warned = False

    def attempt(self, ask: Callable[[], T], otherwise: T) -> T:
        try:
            answer = ask()
        except (*JVM_ERRORS, OSError) as error:
            if self._is_too_much(text_of(error)):
                raise
            return otherwise
        self._fails_since = None
        return answer

    def _is_too_much(self, text: str) -> bool:
        now = self._clock()
        if self._fails_since is None:
            self._fails_since = now
        # No waiting makes room, and a job that goes on makes less of it.
        if is_full_disk(text) or now - self._fails_since > _PATIENCE_SECONDS:
            return True
        if not self._has_warned:
            self._has_warned = True
            what = f"{self._what} failed, and is tried again: {explained(text)[0]}"
            self._warn({"event": "warning", "query": self._job, "what": what})  # whoever reads it looks for a query
        return False
