"""Where replicas go."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hdictl.plan.observed import ObservedBroker
from hdictl.rebalance.placement import Load, place, spread_violations, with_domains
from tests.fakes.cluster import brokers


@pytest.mark.parametrize("count", [3, 6, 9, 12, 15, 30])
def test_even_domains_give_even_brokers(count):
    load = Load()
    for _ in range(10):
        assignment = place(12, 3, brokers(count), load)
        assert spread_violations(assignment, brokers(count)) == (0, 0)
    carried = [load.replicas[broker.id] for broker in brokers(count)]
    led = [load.leaders[broker.id] for broker in brokers(count)]
    assert max(carried) - min(carried) <= 1
    assert max(led) - min(led) <= 1


def test_two_of_three_fault_domains_in_one_rack_are_avoided():
    """Kafka's own placement would use 1001, 1002, 1003 in turn; here the first two share a fault domain."""
    shared = [ObservedBroker(1001 + i, "h", 1, None, fd, i) for i, fd in enumerate((0, 0, 1, 2))]
    assignment = place(6, 3, shared, Load())
    assert spread_violations(assignment, shared) == (0, 0)
    assert all({1003, 1004} <= set(replicas) for replicas in assignment)


def test_new_partitions_go_where_the_topic_and_the_cluster_have_least():
    existing = ((1001, 1002, 1003),) * 4
    load = Load()
    load.add(existing)
    added = place(2, 3, brokers(6), load, existing)
    assert Counter(broker for replicas in added for broker in replicas).keys() >= {1004, 1005, 1006}


def test_too_few_brokers_is_said():
    with pytest.raises(ValueError, match="4 replicas do not fit on 3 brokers"):
        place(1, 4, brokers(3), Load())


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    domains=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=1, max_size=14),
    count=st.integers(1, 20),
    replication=st.integers(1, 4),
)
def test_any_topology(domains, count, replication):
    """Whatever the domains: replica lists are whole, no broker is in one twice, no wider fault-domain spread exists."""
    some = [ObservedBroker(1001 + i, "h", 1, None, fd, ud) for i, (fd, ud) in enumerate(domains)]
    replication = min(replication, len(some))
    assignment = place(count, replication, some, Load())
    assert len(assignment) == count
    assert all(len(set(replicas)) == replication for replicas in assignment)
    assert spread_violations(assignment, some)[0] == 0
    assert assignment == place(count, replication, some, Load()), "the same input gives the same answer"


class TestDomains:
    def test_the_topology_comes_first(self):
        plain = [ObservedBroker(1, "h", 1, "/r0"), ObservedBroker(2, "h", 1, "/r0")]
        known, warning = with_domains(plain, {1: (0, 3), 2: (1, 4)})
        assert [(broker.fd, broker.ud) for broker in known] == [(0, 3), (1, 4)]
        assert warning is None

    def test_racks_stand_in_and_it_is_said(self):
        plain = [ObservedBroker(1, "h", 1, "/b"), ObservedBroker(2, "h", 1, "/a")]
        known, warning = with_domains(plain, {1: (0, 0)})
        assert [broker.fd for broker in known] == [1, 0]
        assert "racks" in str(warning)

    def test_negative_domains_mean_nothing_and_it_is_said(self):
        plain = [ObservedBroker(1, "h", 1), ObservedBroker(2, "h", 1)]
        known, warning = with_domains(plain, {1: (-1, -1), 2: (-1, -1)})
        assert [broker.fd for broker in known] == [None, None]
        assert "unknown" in str(warning)

    def test_fault_domains_alone_are_used_and_it_is_said(self):
        plain = [ObservedBroker(1, "h", 1, "/r0"), ObservedBroker(2, "h", 1, "/r0")]
        known, warning = with_domains(plain, {1: (0, None), 2: (1, -1)})
        assert [(broker.fd, broker.ud) for broker in known] == [(0, None), (1, None)]
        assert "fault domains and brokers only" in str(warning)
