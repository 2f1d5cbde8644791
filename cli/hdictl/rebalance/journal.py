"""The journal of a rebalance: what was meant to be done, written down before it is done.

Pure. The journal is a compacted topic, so that a record replaces the one of the same key:

    lease            who is at work (rebalance.lease)
    run              the one rebalance that counts: its phase, the batch that it is at
    ID/plan/N        part N of its plan, compressed: where every replica was and goes
    ID/throttles     the throttles that were found before it began

A record counts only when its writer held the lease at that place of the log; who lost it without knowing changes
nothing. Phases of a run, in order:

    planned → moving → leaders → restoring → finished            run, resume, rollback
              cancelling → restoring → cancelled                 cancel
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from hdictl.errors import JournalMissing
from hdictl.rebalance import lease as leases
from hdictl.rebalance import plan_file, throttle
from hdictl.rebalance.lease import Lease, Owner
from hdictl.rebalance.plan import RebalancePlan
from hdictl.rebalance.throttle import Throttles

Phase = Literal["planned", "moving", "leaders", "restoring", "finished", "cancelling", "cancelled"]
Command = Literal["run", "rollback"]
OVER: tuple[Phase, ...] = ("finished", "cancelled")

TOPIC = "__hdictl_rebalance"
LEASE, RUN = "lease", "run"
_PART_BYTES = 500_000  # Kafka takes a record of 1 MB


@dataclass(frozen=True)
class Entry:
    """A record of the journal; without a value it takes away the one of the same key."""

    key: str
    value: bytes | None
    time: int = 0  # milliseconds, by the broker's clock


@dataclass(frozen=True)
class Run:
    """One rebalance, as far as it has come."""

    id: str
    command: Command
    phase: Phase
    throttle: str  # as it was asked for: `50MB`, `auto`, `none`
    parts: int  # records that the plan takes
    batch: int = 0  # from 1, of those that were left when the run, or its resume, began
    batches: int = 0
    is_cancelled: bool = False  # whatever comes, it ends as cancelled

    @property
    def is_over(self) -> bool:
        return self.phase in OVER


@dataclass(frozen=True)
class Journal:
    """What the log says, read to its end."""

    lease: Lease | None = None
    is_lease_told: bool = False  # some record of it has been read, be it that it was given back
    left: str = ""  # the owner who went last, whether or not the lease was still theirs
    run: Run | None = None
    parts: Mapping[str, bytes] = field(default_factory=dict)  # by key
    time: int = 0  # of the last record

    @property
    def unfinished(self) -> Run | None:
        return self.run if self.run is not None and not self.run.is_over else None

    def plan(self) -> RebalancePlan:
        run = self._some_run()
        keys = [_part_key(run.id, number) for number in range(run.parts)]
        try:
            text = zlib.decompress(b"".join(self.parts[key] for key in keys))
            return plan_file.from_document(json.loads(text))
        except (KeyError, ValueError, TypeError, zlib.error) as error:
            raise JournalMissing(
                f"the plan of rebalance {run.id} cannot be read from the journal: {error!r}",
                fix="a newer hdictl may have written it; else plan again: hdictl rebalance plan",
            ) from None

    def found(self) -> Throttles | None:
        """None: no throttle has been touched yet."""
        text = self.parts.get(f"{self._some_run().id}/throttles")
        return None if text is None else throttle.from_document(json.loads(text))

    def _some_run(self) -> Run:
        if self.run is None:
            raise JournalMissing("this cluster has no journal of a rebalance", fix="begin one: hdictl rebalance run")
        return self.run


def run_record(run: Run, owner: Owner) -> Entry:
    return Entry(RUN, _json({"owner": owner.id, **vars(run)}))


def plan_records(id: str, plan: RebalancePlan) -> list[Entry]:
    text = zlib.compress(_json(plan_file.to_document(plan)), 9)
    return [
        Entry(_part_key(id, number), text[start : start + _PART_BYTES])
        for number, start in enumerate(range(0, len(text), _PART_BYTES))
    ]


def throttles_record(id: str, found: Throttles) -> Entry:
    return Entry(f"{id}/throttles", _json(throttle.to_document(found)))


def forgotten(journal: Journal, keep: str) -> list[Entry]:
    """Takes away what belongs to earlier runs."""
    return [Entry(key, None) for key in sorted(journal.parts) if not key.startswith(f"{keep}/")]


def after(journal: Journal, entries: Iterable[Entry]) -> Journal:
    """The journal once these records stand in the log, in this order."""
    lease, is_told, left, run = journal.lease, journal.is_lease_told, journal.left, journal.run
    parts, time = dict(journal.parts), journal.time
    for entry in entries:
        time = max(time, entry.time)
        if entry.key == LEASE and entry.value is not None:
            record = json.loads(entry.value)
            lease = leases.after(lease, record, entry.time, is_first=not is_told)
            is_told = True
            left = record["owner"]["id"] if record.get("is_released") else left
        elif entry.key == RUN and entry.value is not None:
            record = json.loads(entry.value)
            writer = record.pop("owner")
            # Compaction may have taken the leases before it; only a lease that was read can speak against it.
            if not is_told or (lease is not None and writer == lease.owner.id):
                run = Run(**record)
        elif "/" in entry.key and entry.value is not None:
            parts[entry.key] = entry.value
        else:
            parts.pop(entry.key, None)
    return replace(journal, lease=lease, is_lease_told=is_told, left=left, run=run, parts=parts, time=time)


def _part_key(id: str, number: int) -> str:
    return f"{id}/plan/{number}"


def _json(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()
