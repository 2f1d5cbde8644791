"""The driver is killed again and again: nothing is lost, and copies are recognised."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.acceptance.jobs.killed import killed
from tests.acceptance.jobs.orders import Orders
from tests.kills import KILLS

SEED = 7


@pytest.mark.slow
def test_nothing_is_lost_and_copies_are_recognised(orders: Orders, tmp_path: Path):
    found = killed(orders, tmp_path, KILLS, SEED)
    # Parquet: each once.
    assert found.archived == sorted(f"o-{number}" for number in range(orders.sent))
    # Kafka: each at least once, and what came again is the same by its event id and its value.
    assert set(found.values) == {f"both|passed|o-{number}" for number in range(orders.sent)}
    assert {len(each) for each in found.values.values()} == {1}
    assert found.copies > 0  # or nothing was tried
    print(f"{KILLS} kills, {found.records} records: 0 lost, {found.copies} written to Kafka again")
