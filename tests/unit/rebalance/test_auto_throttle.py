"""How fast, from how clients fare: halved in trouble, raised in calm, and never stuck for good."""

from __future__ import annotations

from hdictl.rebalance.auto_throttle import MB, AutoThrottle, Sample, usual


def fed(*samples: Sample, rate: int = 40 * MB) -> AutoThrottle:
    auto = AutoThrottle(rate, usual=0.01)
    for sample in samples:
        auto = auto.after(sample)
    return auto


def sample(
    time: float, *, behind: int = 0, under: int = 0, write: float | None = 0.01, left: int | None = None
) -> Sample:
    """Unless said otherwise all is well and something is gained at every look."""
    return Sample(time, behind, under, write, int(1e12 - time * MB) if left is None else left)


def test_calm_raises_it_by_a_quarter_now_and_then():
    assert fed(sample(0), sample(2), sample(4)).rate == 40 * MB
    assert fed(sample(0), sample(6)).rate == 50 * MB
    assert fed(sample(0), sample(6), sample(8), sample(12)).rate == 62_500_000


def test_trouble_halves_it_at_once_and_again():
    assert fed(sample(0, behind=1)).rate == 20 * MB
    assert fed(sample(0, under=1), sample(1, under=1)).rate == 20 * MB
    assert fed(sample(0, under=1), sample(2, under=1)).rate == 10 * MB
    assert fed(sample(0, write=None)).reason == "a write failed"


def test_slow_writes_are_trouble_when_they_are_much_slower_than_usual():
    assert fed(sample(0), sample(2, write=0.2)).rate == 40 * MB
    assert fed(sample(0), sample(2, write=0.3)).rate == 20 * MB
    assert AutoThrottle(40 * MB, usual=0.1).after(sample(0)).after(sample(2, write=0.3)).rate == 40 * MB


def test_it_never_falls_below_the_floor_nor_rises_above_the_ceiling():
    assert fed(*(sample(2 * n, behind=3) for n in range(20))).rate == 1 * MB
    assert fed(*(sample(6 * n) for n in range(100))).rate == 1000 * MB


def test_without_any_gain_it_goes_up_in_spite_of_slow_writes():
    slow = [sample(2 * n, write=0.9, left=5) for n in range(30)]
    lowest = min(fed(*slow[:n]).rate for n in range(1, 30))
    assert fed(*slow).rate > lowest
    assert fed(*slow).reason == "nothing is gained at this rate"


def test_but_not_while_partitions_refuse_writes():
    assert fed(*(sample(2 * n, under=1, left=5) for n in range(60))).rate == 1 * MB


def test_a_new_batch_has_more_left_and_that_is_no_standstill():
    auto = fed(sample(0, left=5), sample(2, left=3)).for_next_batch()
    for time in (10, 20, 30, 40):
        auto = auto.after(sample(time, left=1000 - time))
    assert auto.reason == "all is calm"


def test_what_is_usual_is_in_the_middle():
    assert usual([0.01, 9.0, 0.02]) == 0.02
    assert usual([]) is None
