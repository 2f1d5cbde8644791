"""What a partition counts as, when no broker's window on bytes has room for it."""

from __future__ import annotations

import numpy as np
import pytest

from hdictl.rebalance.too_large import counted

_WIDTH = 0.1


def _counted(sizes: list[float], brokers: int, replication: int = 1, held: int = 0) -> np.ndarray:
    share = np.full((len(sizes), brokers), replication / brokers)
    return counted(np.array(sizes), share, _WIDTH, [(np.arange(len(sizes)), np.full(brokers, float(held)))])


def test_what_fits_counts_as_itself():
    assert _counted([1, 2, 3, 4], 2).tolist() == [1, 2, 3, 4]


def test_a_giant_leaves_half_a_fair_share_for_others():
    sizes = _counted([1000, *[1] * 60], 6)
    assert sizes[1:].tolist() == [1] * 60
    fair = sizes.sum() / 6
    assert sizes[0] == pytest.approx((1 + _WIDTH - 0.5) * fair)


def test_several_giants_count_alike():
    sizes = _counted([1000, 2000, *[1] * 60], 6)
    assert sizes[0] == sizes[1] == pytest.approx((1 + _WIDTH - 0.5) * sizes.sum() / 6)


def test_what_a_broker_has_to_hold_besides_takes_room_too():
    """Of three replicas of the topic on each broker two are others, of which the smallest have 4 each."""
    sizes = [14, 4, 4, 4, 4, 4, 4, 4, 4]
    assert _counted(sizes, 3, held=1).tolist() == sizes
    assert _counted(sizes, 3, held=3)[0] < 14


def test_what_others_cannot_reach_is_not_fair():
    """Sixty small ones, of which every broker has to hold ten: with half a share for the giant, that is too little."""
    share = np.full((61, 6), 1 / 6)
    small, large = np.arange(1, 61), np.zeros(1, dtype=int)
    topics = [(small, np.full(6, 10.0)), (large, np.zeros(6))]
    sizes = counted(np.array([1000.0, *[1] * 60]), share, _WIDTH, topics)
    fair = sizes.sum() / 6
    assert sizes[0] > 0
    assert fair * (1 - _WIDTH) < 10 < 10 + sizes[0] < fair * (1 + _WIDTH)


def test_nothing_at_all():
    assert _counted([0, 0], 2).tolist() == [0, 0]
