"""The cluster is as well as its worst informed broker says."""

from __future__ import annotations

from hdictl.drivers.kafka.health import worst_of
from hdictl.ports.health import KafkaHealth


def view(brokers, lacking=(), controller=1001):
    return KafkaHealth(dict.fromkeys(brokers, "host"), controller, frozenset(lacking), frozenset(), {})


def test_a_broker_is_there_when_everyone_knows_it():
    assert set(worst_of([view({1001, 1002, 1003}), view({1001, 1003})]).brokers) == {1001, 1003}


def test_a_partition_is_in_trouble_when_anyone_says_so():
    found = worst_of([view({1001}), view({1001}, {("orders", 1)}), view({1001}, {("views", 0)})])
    assert found.under_replicated == {("orders", 1), ("views", 0)}


def test_nobody_is_the_controller_while_they_disagree():
    assert worst_of([view({1001}), view({1001}, controller=1002)]).controller is None
