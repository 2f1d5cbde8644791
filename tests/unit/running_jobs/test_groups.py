"""Positions of consumer groups, when the cluster is not ready for them yet, and when it says no."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import pytest
from kafka import TopicPartition
from kafka.errors import (
    CoordinatorLoadInProgressError,
    CoordinatorNotAvailableError,
    GroupAuthorizationFailedError,
    KafkaError,
    NoError,
    NotCoordinatorError,
    UnknownMemberIdError,
)

from hdictl.drivers.kafka.offsets import KafkaOffsets
from tests.fakes.jobs import FakeClock

PLACE = TopicPartition("orders", 0)
At = namedtuple("At", "offset")


class Admin:
    """kafka-python's, as far as it is asked here: raises what is left of its troubles, one a call."""

    def __init__(self, *troubles: type[KafkaError]) -> None:
        self._troubles = list(troubles)
        self.committed: dict[str, Any] = {}

    def list_group_offsets(self, groups):
        if self._troubles:
            raise self._troubles.pop(0)
        return {group: {PLACE: At(7), TopicPartition("orders", 1): At(-1)} for group in groups}

    def alter_group_offsets(self, group, places):
        error = self._troubles.pop(0) if self._troubles else NoError
        if error is NoError:
            self.committed[group] = {place: each.offset for place, each in places.items()}
        return dict.fromkeys(places, error)


def offsets(admin: Admin, clock: FakeClock | None = None) -> KafkaOffsets:
    known = (clock or FakeClock()).clock
    return KafkaOffsets(admin, None, pause=known.pause, clock=known.now)


NOT_YET = (CoordinatorNotAvailableError, CoordinatorLoadInProgressError, NotCoordinatorError)


def test_a_cluster_that_makes_its_topic_of_groups_is_waited_for():
    assert offsets(Admin(*NOT_YET)).committed("g") == {"orders": {0: 7}}
    admin = Admin(*NOT_YET)
    offsets(admin).commit("g", {"orders": {0: 9}})
    assert admin.committed == {"g": {PLACE: 9}}


def test_not_for_ever():
    clock = FakeClock()
    with pytest.raises(CoordinatorNotAvailableError):
        offsets(Admin(*[CoordinatorNotAvailableError] * 1000), clock).committed("g")
    assert 30 < clock.seconds < 32


@pytest.mark.parametrize("error", [UnknownMemberIdError, GroupAuthorizationFailedError])
def test_what_is_not_taken_is_told(error):
    admin = Admin(error)
    with pytest.raises(error, match="group `g`"):
        offsets(admin).commit("g", {"orders": {0: 9}})
    assert admin.committed == {}
