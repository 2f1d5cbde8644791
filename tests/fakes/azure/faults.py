"""What a test lets go wrong between client and cloud."""

from __future__ import annotations

import fnmatch
import time
from dataclasses import dataclass, field
from enum import Enum

from tests.fakes.azure.messages import Answer, Refused, Request


class Drop(str, Enum):
    """Where a connection breaks."""

    BEFORE = "before"  # nothing was done
    AFTER = "after"  # it was done, and the client never hears of it
    IN_BODY = "in body"  # half of the answer arrives


@dataclass
class Fault:
    method: str
    pattern: str
    times: int
    after: int = 0  # so many requests go well first
    status: int | None = None
    code: str = ""
    message: str = ""
    retry_after: str | None = None
    drop: Drop | None = None
    seconds: float = 0.0

    def fits(self, request: Request) -> bool:
        return (
            self.times > 0
            and self.method in ("*", request.method)
            and fnmatch.fnmatch(request.path.lower(), self.pattern.lower())
        )

    @property
    def answer(self) -> Answer | None:
        if self.status is None:
            return None
        # Storage has the code in a header too: the answer to HEAD has no body.
        headers = {"x-ms-error-code": self.code} if self.code else {}
        if self.retry_after is not None:
            headers["Retry-After"] = self.retry_after
        return Refused(self.status, self.code, self.message, headers=headers).answer


@dataclass
class Faults:
    _known: list[Fault] = field(default_factory=list)

    def add(self, fault: Fault) -> Fault:
        self._known.append(fault)
        return fault

    def clear(self) -> None:
        self._known.clear()

    def take(self, request: Request) -> Fault | None:
        """The first fault that fits, used up by one."""
        for fault in self._known:
            if fault.fits(request):
                if fault.after > 0:
                    fault.after -= 1
                    continue
                fault.times -= 1
                return fault
        return None


def wait_for(fault: Fault | None) -> None:
    if fault is not None and fault.seconds:
        time.sleep(fault.seconds)
