"""Whose turn it is, by the order of the log alone."""

from __future__ import annotations

from hdictl.rebalance.lease import LEASE_MS, Lease, Owner, after, claimed, released, renewed

ANN, BEN = (Owner(name, name, "machine", 1, 0.0) for name in ("ann", "ben"))


def told(*records: tuple[dict, int]) -> Lease | None:
    lease = None
    for record, time in records:
        lease = after(lease, record, time)
    return lease


def test_the_first_claim_holds():
    assert told((claimed(ANN), 0), (claimed(BEN), 1)) == Lease(ANN, LEASE_MS)


def test_one_that_has_run_out_is_free():
    assert told((claimed(ANN), 0), (claimed(BEN), LEASE_MS)) == Lease(BEN, 2 * LEASE_MS)


def test_a_renewal_holds_it_on():
    assert told((claimed(ANN), 0), (renewed(ANN), 20_000), (claimed(BEN), LEASE_MS)) == Lease(ANN, 20_000 + LEASE_MS)


def test_a_late_renewal_counts_when_nobody_came_between():
    assert told((claimed(ANN), 0), (renewed(ANN), 90_000)) == Lease(ANN, 90_000 + LEASE_MS)


def test_who_lost_it_does_not_come_back_by_renewing():
    lost = ((claimed(ANN), 0), (claimed(BEN, take_over=True), 1))
    assert told(*lost, (renewed(ANN), 2)) == Lease(BEN, 1 + LEASE_MS)
    assert told(*lost, (released(BEN), 2), (renewed(ANN), 3)) is None
    assert told(*lost, (renewed(ANN), 90_000)) == Lease(BEN, 1 + LEASE_MS)


def test_only_its_owner_gives_it_back():
    assert told((claimed(ANN), 0), (released(BEN), 1)) == Lease(ANN, LEASE_MS)
    assert told((claimed(ANN), 0), (released(ANN), 1)) is None
