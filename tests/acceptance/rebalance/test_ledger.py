"""The books themselves: a proof of "nothing lost" is worth as much as they see a loss."""

from __future__ import annotations

from tests.acceptance.rebalance.ledger import Ledger, Verdict


def read(*sequences: int) -> Ledger:
    ledger = Ledger()
    for sequence in sequences:
        ledger.note("k", sequence)
    return ledger


def test_all_there():
    assert read(0, 1, 2).verdict({"k": 3}) == Verdict(3, lost=0, reordered=0, duplicates=0)
    assert read(0, 1, 2).verdict({"k": 3}).is_clean


def test_lost_at_the_end_and_in_between():
    assert read(0, 1).verdict({"k": 3}).lost == 1
    assert read(0, 2).verdict({"k": 3}).lost == 1
    assert Ledger().verdict({"k": 3}).lost == 3


def test_reordered_is_not_lost():
    assert read(0, 2, 1).verdict({"k": 3}) == Verdict(3, lost=0, reordered=1, duplicates=0)


def test_twice():
    assert read(0, 1, 0, 1, 2).verdict({"k": 3}) == Verdict(3, lost=0, reordered=0, duplicates=2)


def test_keys_are_apart():
    ledger = read(0, 1)
    ledger.note("other", 0)
    assert ledger.verdict({"k": 2, "other": 1}).is_clean
    assert not ledger.has_reached({"k": 2, "other": 2})
