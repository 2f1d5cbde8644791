"""Sizes and durations for people: short, and never 1000 of a unit where there is a larger one."""

from __future__ import annotations

import pytest

from hdictl.stack.units import rounded_duration, rounded_size


@pytest.mark.parametrize(
    ("count", "shown"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1_000, "1 KB"),
        (999_499, "999 KB"),
        (999_600, "1 MB"),
        (1_410_065_408, "1.41 GB"),
        (99_960_000_000, "100 GB"),
        (1_100_000_000_000, "1.1 TB"),
        (12_345_000_000_000_000, "12,345 TB"),
    ],
)
def test_sizes(count, shown):
    assert rounded_size(count) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0, "0 s"),
        (0.2, "less than 1 s"),
        (59.4, "59 s"),
        (59.6, "1 min"),
        (3_569, "59 min"),
        (3_571, "1 h"),
        (28_200, "7 h 50 min"),
        (86_400, "24 h"),
        (172_800, "2 d"),
        (200_000, "2 d 8 h"),
    ],
)
def test_durations(seconds, shown):
    assert rounded_duration(seconds) == shown
