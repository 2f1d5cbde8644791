"""Rules over domains, and the fair shares that follow from them."""

from __future__ import annotations

import numpy as np
import pytest

from hdictl.errors import CannotPlace
from hdictl.rebalance.fair_share import fair_shares
from hdictl.rebalance.leaders import choose_leaders, fair_leaders
from hdictl.rebalance.order import ordered
from hdictl.rebalance.problem import whole_window
from hdictl.rebalance.snapshot import Broker
from hdictl.rebalance.spread import rule_for
from tests.bench.rebalance_instances import brokers


def _share(replication: int, nodes: list[Broker]) -> list[float]:
    shares = fair_shares(nodes, {replication: rule_for(replication, nodes)}, {replication: 1.0})
    return [round(float(share), 4) for share in shares[replication]]


def test_even_domains_share_evenly():
    assert _share(3, brokers(9)) == [0.3333] * 9


def test_a_small_fault_domain_carries_more():
    assert _share(3, brokers(8)) == [0.3333, 0.3333, 0.5, 0.3333, 0.3333, 0.5, 0.3333, 0.3333]


def test_four_replicas_in_two_fault_domains_are_two_and_two():
    assert _share(4, brokers(10, fault_domains=2)) == [0.4] * 10


def test_the_rule_is_loosened_only_as_far_as_needed():
    rule = rule_for(3, [Broker(1, 0, 0), Broker(2, 1, 0), Broker(3, 2, 1), Broker(4, 2, 2)])
    assert rule.fd_reason is None
    assert rule.ud_reason is not None
    assert rule.ud_distinct == 2


def test_too_few_brokers_are_told():
    with pytest.raises(CannotPlace, match="4 replicas need as many brokers; there are 3"):
        rule_for(4, brokers(3))


def test_no_broker_leads_more_than_it_holds():
    assert fair_leaders(np.array([1.0, 10.0, 10.0]), 9).tolist() == [1, 4, 4]


def test_leaders_change_as_little_as_they_can():
    """Four partitions on two brokers, all led by the first: two have to change, and no more."""
    placed = np.ones((4, 2), dtype=bool)
    now = np.zeros(4, dtype=np.int64)
    leaders = choose_leaders(placed, placed, now, np.array([2.0, 2.0]), np.ones(4, dtype=bool))
    assert np.bincount(leaders).tolist() == [2, 2]


def test_what_is_not_free_keeps_its_leader():
    placed = np.ones((4, 2), dtype=bool)
    now = np.zeros(4, dtype=np.int64)
    leaders = choose_leaders(placed, placed, now, np.array([2.0, 2.0]), np.zeros(4, dtype=bool))
    assert leaders.tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("before", "after", "leader", "list_"),
    [
        ((1, 2, 3), {1, 2, 3}, 1, (1, 2, 3)),
        ((1, 2, 3), {1, 3, 4}, 1, (1, 4, 3)),
        ((1, 2, 3), {2, 3, 4}, 2, (2, 4, 3)),
        ((1, 2, 3), {1, 2, 3}, 3, (3, 1, 2)),
        ((1, 2), {1, 2, 5}, 1, (1, 2, 5)),
        ((1, 2, 3), {3, 1}, 1, (1, 3)),
    ],
)
def test_lists_keep_the_order_of_what_stays(before, after, leader, list_):
    assert ordered(before, after, leader) == list_


def test_a_share_that_is_whole_but_for_adding_up_has_no_room_to_spare():
    window = whole_window(np.array([166.000004, 165.999996, 166.5]))
    assert (window.lower.tolist(), window.upper.tolist()) == ([166, 166, 166], [166, 166, 167])
