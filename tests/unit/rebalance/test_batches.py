"""Portions of a plan: bounded for every broker, small ones first, everybody in turn, and nothing twice."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hdictl.errors import CannotPlace
from hdictl.rebalance.batches import GB, Batch, Limits, portions, seconds
from hdictl.rebalance.plan import Step

MB = 1_000_000


def step(number: int, after: tuple[int, ...], size: int, before: tuple[int, ...] = (1, 2, 3), topic: str = "t") -> Step:
    return Step(topic, number, before, after, size)


def test_small_ones_first_and_destinations_in_turn():
    steps = [step(0, (4, 2, 3), 30), step(1, (4, 2, 3), 10), step(2, (5, 2, 3), 20), step(3, (5, 2, 3), 40)]
    (batch,) = portions(steps, {}, Limits())
    assert [each.partition for each in batch.steps] == [1, 2, 0, 3]
    assert (batch.inbound, batch.outbound, batch.bytes) == ({4: 40, 5: 60}, {1: 100}, 100)


def test_bounded_by_what_arrives():
    steps = [step(number, (4 + number % 2, 2, 3), 4 * GB, before=(10 + number, 2, 3)) for number in range(6)]
    sizes = [dict(batch.inbound) for batch in portions(steps, {}, Limits())]
    assert sizes == [{4: 8 * GB, 5: 8 * GB}, {4: 4 * GB, 5: 4 * GB}]


def test_bounded_by_what_leaves():
    steps = [step(number, (4 + number, 2, 3), 4 * GB) for number in range(3)]
    assert [len(batch.steps) for batch in portions(steps, {}, Limits())] == [2, 1]


def test_bounded_by_the_number_of_replicas():
    steps = [step(number, (4, 2, 3), 1) for number in range(120)]
    assert [len(batch.steps) for batch in portions(steps, {}, Limits())] == [50, 50, 20]


def test_one_that_is_larger_than_any_bound_goes_alone():
    batches = portions([step(0, (4, 2, 3), 50 * GB), step(1, (4, 2, 3), 60 * GB)], {}, Limits())
    assert [[each.partition for each in batch.steps] for batch in batches] == [[0], [1]]


def test_while_a_large_one_is_copied_the_others_have_as_much_to_do():
    large = step(0, (4, 2, 3), 50 * GB)
    small = [step(number, (5, 2, 3), 8 * GB, before=(6, 2, 3)) for number in range(1, 9)]
    loads = [dict(batch.inbound) for batch in portions([large, *small], {}, Limits())]
    assert loads == [{4: 50 * GB, 5: 48 * GB}, {5: 8 * GB}, {5: 8 * GB}]


def test_the_old_replica_takes_room_until_the_batch_is_over():
    """Broker 4 has room for one of two at a time; the one that leaves it makes room for the next batch only."""
    steps = [step(0, (4, 2, 3), 3 * GB), step(1, (1, 2, 3), 4 * GB, before=(4, 2, 3)), step(2, (4, 2, 5), 5 * GB)]
    batches = portions(steps, {4: 5 * GB}, Limits(spare=1 * GB))
    assert [[each.partition for each in batch.steps] for batch in batches] == [[1, 0], [2]]


def test_without_room_anywhere_it_says_so():
    with pytest.raises(CannotPlace, match=r"3000000000 bytes of t/0 do not fit on 4"):
        portions([step(0, (4, 2, 3), 3 * GB)], {4: 2 * GB}, Limits())


def test_what_copies_nothing_comes_last_together():
    steps = [step(0, (2, 1, 3), 9), step(1, (4, 2, 3), 9), step(2, (1, 2), 9)]
    batches = portions(steps, {}, Limits())
    assert [[each.partition for each in batch.steps] for batch in batches] == [[1], [0, 2]]
    assert batches[-1].inbound == {}


def test_the_busiest_broker_of_each_batch_decides_how_long_it_takes():
    batches = (Batch((), {4: 100 * MB, 5: 50 * MB}, {1: 150 * MB}), Batch((), {4: 50 * MB}, {1: 50 * MB}))
    assert seconds(batches, 50 * MB) == 4.0


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.tuples(st.permutations(range(1, 7)), st.permutations(range(1, 7)), st.integers(0, 20 * GB)), max_size=40
    )
)
def test_every_step_once_within_bounds_and_always_the_same(drawn):
    steps = [Step("t", n, tuple(old[:3]), tuple(new[:3]), size) for n, (old, new, size) in enumerate(drawn)]
    limits = Limits(replicas=4)
    batches = portions(steps, {}, limits)
    assert sorted(each.key for batch in batches for each in batch.steps) == [each.key for each in steps]
    assert batches == portions(list(reversed(steps)), {}, limits)
    for batch in batches:
        for broker, inbound in batch.inbound.items():
            arriving = [each for each in batch.steps if broker in each.adding]
            assert inbound == sum(each.size for each in arriving)
            assert len(arriving) <= 4 or not any(each.size for each in arriving)
        longest = batch.seconds(rate=1)
        assert longest <= limits.inbound or longest in {
            size for each in batch.steps for size in (each.size, each.bytes)
        }
