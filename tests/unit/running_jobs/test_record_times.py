"""When a record was written, found by asking for moments only."""

from __future__ import annotations

import time
from collections import namedtuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hdictl.drivers.kafka.offsets import KafkaOffsets
from hdictl.drivers.kafka.record_times import written_at

NOW = 1_800_000_000_000


class Broker:
    """Knows which offset comes first after a moment, as `ListOffsets` does, and counts how often it is asked."""

    def __init__(self, times: dict[str, list[int]]) -> None:
        self.times = times
        self.asked = 0

    def __call__(self, moments):
        self.asked += 1
        return {
            place: next((at for at, each in enumerate(self.times[place]) if each >= moment), None)
            for place, moment in moments.items()
        }


ages = st.lists(st.integers(0, NOW), min_size=1, max_size=30).map(lambda found: sorted(found, reverse=True))


@given(st.dictionaries(st.sampled_from("abc"), ages, min_size=1), st.data())
def test_to_a_hundredth_of_its_age(aged, data):
    broker = Broker({place: [NOW - age for age in each] for place, each in aged.items()})
    offsets = {place: data.draw(st.integers(0, len(each) - 1)) for place, each in aged.items()}
    found = written_at(offsets, broker, NOW)
    assert set(found) == set(offsets)
    for place, at in offsets.items():
        age = aged[place][at]
        assert abs((NOW - found[place]) - age) <= max(100, age * 0.011 + 1)
    assert broker.asked < 40


def test_nobody_is_asked_for_nothing():
    broker = Broker({})
    assert written_at({}, broker, NOW) == {}
    assert broker.asked == 0


def test_a_clock_that_is_ahead_gives_now():
    found = written_at({"a": 0}, Broker({"a": [NOW + 3_600_000]}), NOW)
    assert 0 <= NOW - found["a"] <= 100


Place = namedtuple("Place", "topic partition")
At = namedtuple("At", "offset timestamp")


class Consumer:
    """kafka-python's, as far as it is asked here. Retention has taken what lies before `begin`."""

    def __init__(self, begin: int, times: list[int]) -> None:
        self._begin, self._times = begin, times

    def end_offsets(self, places):
        return dict.fromkeys(places, self._begin + len(self._times))

    def beginning_offsets(self, places):
        return dict.fromkeys(places, self._begin)

    def offsets_for_times(self, moments):
        def first(moment: int) -> At | None:
            found = (At(self._begin + n, each) for n, each in enumerate(self._times) if each >= moment)
            return next(found, None)

        return {place: first(moment) for place, moment in moments.items()}


@pytest.mark.parametrize(
    ("position", "expected"), [(3, 60_000), (100, 60_000), (101, 30_000), (102, None), (200, None)]
)
def test_what_is_gone_waits_no_more_and_the_first_that_is_left_does(position, expected):
    now = round(time.time() * 1000)
    kafka = KafkaOffsets(None, Consumer(100, [now - 60_000, now - 30_000]))
    found = kafka.times({"orders": {0: position}}).get("orders", {}).get(0)
    if expected is None:
        assert found is None
    else:
        assert now - found == pytest.approx(expected, rel=0.02, abs=200)
