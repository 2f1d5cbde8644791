"""Waiting has an end, and Ctrl-C in it leaves what goes on in Azure alone."""

from __future__ import annotations

import itertools

import pytest

from hdictl.errors import CloudRejected, Interrupted, StillRunning
from hdictl.ports.progress import Silent
from hdictl.workflow.cloud.wait import Watch, goes_on


class Endless:
    """An operation that never ends, or fails at its third look."""

    def __init__(self, *, fails: bool = False) -> None:
        self.looks, self._fails = 0, fails

    def wait(self, seconds: float) -> bool:
        self.looks += 1
        if self._fails and self.looks == 3:
            raise CloudRejected("no", code="Conflict")
        return False


def watch(minutes_a_look: float) -> Watch:
    clock = itertools.count(0, minutes_a_look * 60)
    return Watch(None, Silent(), 0, pause=lambda _: None, now=lambda: next(clock))  # type: ignore[arg-type]


def test_what_never_ends_is_not_waited_for_for_ever():
    operation = Endless()
    with pytest.raises(StillRunning, match="the deletion of x has not ended after 90 minutes; it goes on in Azure"):
        watch(minutes_a_look=10).ended(operation, "the deletion of x")
    assert operation.looks == 10


def test_what_fails_on_the_way_is_told_at_once():
    operation = Endless(fails=True)
    with pytest.raises(CloudRejected, match="no"):
        watch(minutes_a_look=0).ended(operation, "the deletion of x")
    assert operation.looks == 3


def test_ctrl_c_says_what_goes_on():
    with pytest.raises(Interrupted, match="interrupted; the resize goes on"), goes_on("the resize goes on"):
        raise KeyboardInterrupt
