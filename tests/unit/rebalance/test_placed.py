"""Where the steps of a plan stand, from what the cluster says."""

from __future__ import annotations

import pytest

from hdictl.rebalance.placed import Ongoing, Placed, between, foreign, standing, turned
from hdictl.rebalance.plan import Step

STEP = Step("t", 0, (1, 2, 3), (4, 2, 1), 10)


def placed(*replicas: int) -> dict[tuple[str, int], Placed]:
    return {("t", 0): Placed(replicas, frozenset(replicas), replicas[0])}


@pytest.mark.parametrize(
    ("where", "move", "stands"),
    [
        (placed(1, 2, 3), None, "waiting"),
        (placed(2, 1, 3), None, "waiting"),  # called off: Kafka turns the order
        (placed(2, 1, 4), None, "waiting"),  # arrived, in another order
        (placed(4, 2, 1), None, "done"),
        (placed(4, 2, 1, 3), Ongoing((4, 2, 1, 3), (4,), (3,)), "moving"),
        (placed(5, 2, 1, 3), Ongoing((5, 2, 1, 3), (5,), (3,)), "strange"),
        (placed(5, 2, 3), None, "strange"),
        ({}, None, "gone"),
    ],
)
def test_where_a_step_stands(where, move, stands):
    found = standing([STEP], where, {} if move is None else {STEP.key: move})
    assert getattr(found, stands) == (STEP,)
    assert found.is_done is (stands in ("done", "gone"))


def test_moves_that_nobody_of_ours_asked_for():
    ours, other = Ongoing((4, 2, 1, 3), (4,), (3,)), Ongoing((4, 5, 6), (4,), (6,))
    assert foreign({("t", 0): ours, ("u", 0): other}, [STEP]) == {("u", 0): other}
    assert foreign({("t", 0): other}, [STEP]) == {("t", 0): other}


def test_what_was_called_off_is_turned_back():
    assert turned([STEP], placed(2, 1, 3)) == {("t", 0): (1, 2, 3)}
    assert turned([STEP], placed(1, 2, 3)) == {}
    assert turned([STEP], placed(4, 2, 1)) == {}
    assert turned([STEP], {}) == {}


def test_the_news_of_a_move_called_off_are_on_their_way():
    assert between([STEP], placed(4, 2, 1, 3)) == [("t", 0)]
    assert between([STEP], placed(1, 2, 3)) == []
    assert between([STEP], placed(*STEP.after)) == []
    assert between([STEP], {}) == []
    for after in ((2, 1, 3), (1, 2, 3, 4), (1, 2)):
        assert between([Step("t", 0, (1, 2, 3), after, 10)], placed(*after)) == []
        assert between([Step("t", 0, (1, 2, 3), after, 10)], placed(1, 2, 3)) == []
