"""Which settings slow exactly the moving replicas down, and what is left when they are not put back."""

from __future__ import annotations

import pytest

from hdictl.errors import UsageError
from hdictl.rebalance.plan import Step
from hdictl.rebalance.throttle import (
    RATES,
    RECEIVERS,
    SENDERS,
    Throttles,
    brokers_of,
    from_document,
    involved,
    left_over,
    moving_replicas,
    rates,
    to_document,
    topics_of,
)
from hdictl.rebalance.throttle_wish import ThrottleWish, throttle_wish

STEPS = [
    Step("a", 0, (1, 2), (3, 2), 10),
    Step("a", 1, (2, 1), (2, 4), 10),
    Step("b", 0, (1, 2), (2, 1), 10),  # another order: nothing is copied
]


def test_those_who_hold_it_send_and_those_who_get_it_receive():
    assert moving_replicas(STEPS, {}) == {"a": {SENDERS: "0:1,0:2,1:2,1:1", RECEIVERS: "0:3,1:4"}}
    assert (brokers_of(STEPS), topics_of(STEPS)) == ((1, 2, 3, 4), ("a",))
    assert rates((1, 2), 50) == {1: dict.fromkeys(RATES, "50"), 2: dict.fromkeys(RATES, "50")}


def test_replicas_that_somebody_else_named_stay_named():
    found = {"a": {SENDERS: "7:9,0:1", RECEIVERS: "*"}}
    assert moving_replicas(STEPS, found) == {"a": {SENDERS: "7:9,0:1,0:2,1:2,1:1", RECEIVERS: "*"}}


def test_what_is_left_over_is_said():
    found = Throttles({1: {RATES[0]: "5"}}, {})
    now = Throttles({1: {RATES[0]: "50", RATES[1]: None}}, {"a": {SENDERS: "0:1", RECEIVERS: None}})
    assert left_over(now, found) == [
        f"broker 1: {RATES[0]} is `50`, was `5`",
        f"topic a: {SENDERS} is `0:1`, was not set",
    ]
    assert left_over(found, found) == []


def test_of_what_was_found_the_part_that_is_touched():
    found = Throttles({1: {RATES[0]: "5"}, 9: {RATES[0]: "6"}}, {"z": {SENDERS: "*"}})
    ours = involved(found, STEPS)
    assert ours.brokers[1] == {RATES[0]: "5", RATES[1]: None}
    assert (sorted(ours.brokers), sorted(ours.topics)) == ([1, 2, 3, 4], ["a"])


def test_written_down_and_read_again():
    found = Throttles({1: {RATES[0]: "5", RATES[1]: None}}, {"a": {SENDERS: None}, "z": {SENDERS: "*"}})
    assert from_document(to_document(found)) == Throttles({1: {RATES[0]: "5"}}, {"z": {SENDERS: "*"}})


def test_as_a_person_writes_it():
    assert throttle_wish("50MB") == ThrottleWish("50MB", 50_000_000)
    assert throttle_wish("none") == ThrottleWish("none", None)
    assert throttle_wish("auto").is_auto


@pytest.mark.parametrize("text", ["fast", "50", "10B", "0MB", ""])
def test_or_should_not(text: str):
    with pytest.raises(UsageError):
        throttle_wish(text)
