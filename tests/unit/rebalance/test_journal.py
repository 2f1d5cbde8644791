"""What a log says once it is read: whose records count, and a plan that comes back as it went in."""

from __future__ import annotations

import random

import pytest

from hdictl.errors import JournalMissing
from hdictl.rebalance.journal import (
    LEASE,
    Entry,
    Journal,
    Run,
    after,
    forgotten,
    plan_records,
    run_record,
    throttles_record,
)
from hdictl.rebalance.lease import Owner, claimed, released, renewed, to_bytes
from hdictl.rebalance.throttle import Throttles
from tests.unit.rebalance_run.moves import plan

ANN, BEN = (Owner(name, name, "machine", 1, 0.0) for name in ("ann", "ben"))
RUN = Run("r1", "run", "planned", "50MB", 1)


def claim(owner: Owner, *, take_over: bool = False) -> Entry:
    return Entry(LEASE, to_bytes(claimed(owner, take_over=take_over)))


def test_a_plan_comes_back_as_it_went_in():
    made = plan()
    journal = after(Journal(), [claim(ANN), *plan_records("r1", made), run_record(RUN, ANN)])
    assert journal.run == RUN
    assert journal.unfinished == RUN
    assert journal.plan() == made
    assert journal.found() is None


def test_a_record_of_somebody_without_the_lease_says_nothing():
    later = Run("r2", "run", "moving", "50MB", 1)
    journal = after(Journal(), [claim(ANN), run_record(RUN, ANN), claim(BEN, take_over=True), run_record(later, ANN)])
    assert journal.run == RUN


def test_compaction_takes_nothing_that_counts():
    """Of the records of one key it leaves the last: a run whose lease is over, and a lease without its claim."""
    mine = Entry(LEASE, to_bytes(renewed(BEN)))
    journal = after(Journal(), [run_record(RUN, ANN), mine])
    assert journal.run == RUN
    assert journal.lease is not None and journal.lease.owner == BEN


def test_who_lost_the_lease_says_nothing_even_when_it_is_free_again():
    lost = [claim(ANN), run_record(RUN, ANN), claim(BEN, take_over=True), Entry(LEASE, to_bytes(released(BEN)))]
    later = Run("r1", "run", "moving", "50MB", 1)
    journal = after(Journal(), [*lost, Entry(LEASE, to_bytes(renewed(ANN))), run_record(later, ANN)])
    assert (journal.run, journal.lease, journal.left) == (RUN, None, "ben")


def test_throttles_that_were_found():
    found = Throttles(
        {1001: {"rate": "5"}, 1002: {"rate": None}}, {"orders": {"replicas": "*"}, "views": {"replicas": None}}
    )
    journal = after(Journal(), [claim(ANN), run_record(RUN, ANN), throttles_record("r1", found)])
    assert journal.found() == Throttles({1001: {"rate": "5"}, 1002: {}}, {"orders": {"replicas": "*"}})


def test_what_belongs_to_an_earlier_run_goes():
    journal = after(Journal(), [Entry("r0/plan/0", b"x"), Entry("r0/throttles", b"y"), Entry("r1/plan/0", b"z")])
    gone = forgotten(journal, keep="r1")
    assert [entry.key for entry in gone] == ["r0/plan/0", "r0/throttles"]
    assert dict(after(journal, gone).parts) == {"r1/plan/0": b"z"}


def test_a_part_that_is_missing_is_noticed():
    with pytest.raises(JournalMissing, match="cannot be read"):
        after(Journal(), [claim(ANN), run_record(RUN, ANN)]).plan()
    with pytest.raises(JournalMissing, match="no journal"):
        Journal().plan()


def test_ten_thousand_partitions_fit_into_records_of_kafka():
    draw = random.Random(1)
    ids = range(1001, 1031)
    before = {(f"topic-{n // 40}-{draw.random()}", n % 40): tuple(draw.sample(ids, 3)) for n in range(10_000)}
    made = plan(before, {key: tuple(draw.sample(ids, 3)) for key in before})
    records = plan_records("r1", made)
    assert all(len(record.value or b"") < 1_000_000 for record in records)
    run = Run("r1", "run", "planned", "50MB", len(records))
    assert after(Journal(), [claim(ANN), *records, run_record(run, ANN)]).plan() == made
