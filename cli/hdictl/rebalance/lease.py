"""Who may move partitions: one owner at a time, also from two machines.

Pure. A lease is a record in the journal, and the journal's order decides: a claim holds when nobody else's lease is
running at that place of the log. Times are the broker's own, so that clocks of machines do not matter.

    claim     takes the lease when it is free or has run out
    take over takes it whoever has it; the one who had it finds out with its next renewal
    renewal   holds it on, unless somebody else has had it since: who lost it once never comes back by itself
    release   gives it back
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

LEASE_MS = 30_000
RENEW_SECONDS = 5.0


@dataclass(frozen=True)
class Owner:
    """One running process on one machine."""

    id: str  # unique for ever
    host: str  # for people
    machine: str  # the same for processes that can see each other
    pid: int
    started: float  # of the process: a process id is used again


@dataclass(frozen=True)
class Lease:
    owner: Owner
    until: int  # milliseconds by the broker's clock

    def is_running(self, now: int) -> bool:
        return now < self.until

    def seconds_left(self, now: int) -> float:
        return max(0, self.until - now) / 1000


def claimed(owner: Owner, *, take_over: bool = False) -> dict[str, Any]:
    return {"owner": vars(owner), "is_taken_over": take_over}


def renewed(owner: Owner) -> dict[str, Any]:
    return {"owner": vars(owner), "is_renewal": True}


def released(owner: Owner) -> dict[str, Any]:
    return {"owner": vars(owner), "is_released": True}


def after(lease: Lease | None, record: Mapping[str, Any], time: int, *, is_first: bool = False) -> Lease | None:
    """The lease once this record stands in the log. The first that is left of a log may be a renewal: compaction took
    the claim."""
    owner = Owner(**record["owner"])
    is_own = lease is not None and lease.owner.id == owner.id
    if record.get("is_released"):
        return None if is_own else lease
    is_free = lease is None or not lease.is_running(time) or bool(record.get("is_taken_over"))
    if is_own or (is_free and (is_first or not record.get("is_renewal"))):
        return Lease(owner, time + LEASE_MS)
    return lease


def to_bytes(record: Mapping[str, Any]) -> bytes:
    return json.dumps(record, separators=(",", ":")).encode()
