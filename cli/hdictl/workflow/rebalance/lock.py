"""One rebalance of a cluster at a time: the journal's lease, taken, kept and given back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from hdictl.errors import HdictlError, RebalanceBusy
from hdictl.ports.journal import JournalStore
from hdictl.ports.progress import Progress
from hdictl.rebalance import lease as leases
from hdictl.rebalance.journal import LEASE, Entry, Journal
from hdictl.rebalance.lease import RENEW_SECONDS, Lease, Owner
from hdictl.workflow.rebalance.pace import Pace

_NOTICE_SECONDS = 2 * RENEW_SECONDS


@dataclass(frozen=True)
class Claim:
    """Who asks for the lease, and how much they want it."""

    owner: Owner
    is_gone: Callable[[Owner], bool]  # whether a process is known to have ended
    take_over: bool = False  # whoever has it
    waits: bool = False  # for the lease of somebody who may have been killed


def at_work(journal: Journal, claim: Claim, pace: Pace) -> Lease | None:
    """The lease of somebody else who still runs, as far as clocks agree; of a process here that is known."""
    lease = journal.lease
    if lease is None or _is_mine(lease, claim) or claim.is_gone(lease.owner):
        return None
    return lease if lease.is_running(int(pace.clock() * 1000)) else None


class Held:
    """The journal in the hands of the one who may write it. Every write finds out whether that is still so."""

    def __init__(self, store: JournalStore, owner: Owner, journal: Journal, pace: Pace) -> None:
        self._store = store
        self._pace = pace
        self._kept = pace.now()
        self.owner = owner
        self.journal = journal

    def write(self, *entries: Entry) -> None:
        """Before the step that it speaks of."""
        self._append([_renewal(self.owner), *entries])

    def keep(self) -> None:
        """Often enough, in every wait."""
        if self._pace.now() - self._kept >= RENEW_SECONDS:
            self._append([_renewal(self.owner)])

    def timed(self) -> float | None:
        """Seconds that a small write to all in-sync replicas takes; None: it failed."""
        began = self._pace.now()
        try:
            self._append([_renewal(self.owner)])
        except RebalanceBusy:
            raise
        except HdictlError:
            return None
        return self._pace.now() - began

    def leave(self, brokers: Collection[int]) -> None:
        """Brokers that shall hold nothing hold no journal either."""
        self._store.leave(brokers)

    def release(self) -> None:
        self._store.append([Entry(LEASE, leases.to_bytes(leases.released(self.owner)))])

    def _append(self, entries: list[Entry]) -> None:
        began = self._pace.now()
        self.journal = self._store.append(entries)
        if self.journal.lease is None or self.journal.lease.owner.id != self.owner.id:
            raise RebalanceBusy(
                f"{named(self.journal.lease)} has taken this rebalance over; nothing more is done here",
                fix="see how it goes: hdictl rebalance status",
            )
        self._kept = began


@contextmanager
def held(store: JournalStore, claim: Claim, progress: Progress, pace: Pace) -> Iterator[Held]:
    store.create()
    taken = Held(store, claim.owner, _taken(store, claim, progress, pace), pace)
    try:
        yield taken
    finally:
        # Without it the next one waits until the lease has run out, and nothing worse.
        with suppress(HdictlError):
            taken.release()


def _taken(store: JournalStore, claim: Claim, progress: Progress, pace: Pace) -> Journal:
    before = store.read().lease
    journal = store.append([_claim(claim.owner, take_over=claim.take_over)])
    lease = journal.lease
    if _is_mine(lease, claim) or lease is None:
        if before is not None and before.is_running(journal.time) and not claim.is_gone(before.owner):
            _await_gone(store, before, progress, pace)
        return journal
    if claim.is_gone(lease.owner):
        progress.step(f"{named(lease)} has ended without finishing: going on in its place")
        return store.append([_claim(claim.owner, take_over=True)])
    if claim.waits and lease.owner.machine != claim.owner.machine:
        left = lease.seconds_left(journal.time)
        progress.step(f"{named(lease)} is at work, or was killed: waiting {left:.0f} s for its lease to run out")
        return _waited(store, claim, lease, left, pace)
    raise _busy(lease)


def _waited(store: JournalStore, claim: Claim, lease: Lease, left: float, pace: Pace) -> Journal:
    """Somebody on another machine: at work, or killed. Who is at work renews the lease."""
    deadline = pace.now() + left + 1
    while True:
        now = store.read().lease
        if now is not None and now.until > lease.until:
            raise _busy(now)
        if pace.now() > deadline:
            break
        pace.pause(min(1.0, max(0.05, deadline - pace.now())))
    journal = store.append([_claim(claim.owner)])
    if not _is_mine(journal.lease, claim):
        raise _busy(journal.lease)
    return journal


def _await_gone(store: JournalStore, before: Lease, progress: Progress, pace: Pace) -> None:
    """Who was taken the lease from notices within seconds, and says so when it has stopped."""
    progress.step(f"{named(before)} is told to stop")
    deadline = pace.now() + _NOTICE_SECONDS
    while store.read().left != before.owner.id and pace.now() < deadline:
        pace.pause(pace.look)


def _claim(owner: Owner, *, take_over: bool = False) -> Entry:
    return Entry(LEASE, leases.to_bytes(leases.claimed(owner, take_over=take_over)))


def _renewal(owner: Owner) -> Entry:
    return Entry(LEASE, leases.to_bytes(leases.renewed(owner)))


def _is_mine(lease: Lease | None, claim: Claim) -> bool:
    return lease is not None and lease.owner.id == claim.owner.id


def _busy(lease: Lease | None) -> RebalanceBusy:
    return RebalanceBusy(
        f"a rebalance of this cluster is under way: {named(lease)} is at work",
        fix="wait for it: hdictl rebalance status; if it is dead: hdictl rebalance resume --take-over",
    )


def named(lease: Lease | None) -> str:
    return "somebody else" if lease is None else f"process {lease.owner.pid} on {lease.owner.host}"
