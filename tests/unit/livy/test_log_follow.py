"""The follower against windows that grow, roll, repeat, shrink and skip."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hdictl.drivers.livy.log_follow import LogFollower


def followed(*windows: str) -> list[tuple[str, bool]]:
    """A line is a letter."""
    follower = LogFollower()
    return [("".join(lines), lost) for lines, lost in map(follower.new_lines, windows)]


@pytest.mark.parametrize(
    ("windows", "expected"),
    [
        (["abc"], [("abc", False)]),
        (["", "abc"], [("", False), ("abc", False)]),
        (["ab", "abcd"], [("ab", False), ("cd", False)]),
        (["abcd", "abcd"], [("abcd", False), ("", False)]),
        (["abcd", "cdef"], [("abcd", False), ("ef", False)]),
        (["abcd", "defg", "ghij"], [("abcd", False), ("efg", False), ("hij", False)]),
        (["abcd", "efgh"], [("abcd", False), ("efgh", True)]),
        (["abcd", "efgh", "ghij"], [("abcd", False), ("efgh", True), ("ij", False)]),
        # Shrunk: an answer of earlier, the end of what is known, nothing at all.
        (["abcd", "ab", "bcde"], [("abcd", False), ("", False), ("e", False)]),
        (["abcd", "cd", "bcde"], [("abcd", False), ("", False), ("e", False)]),
        (["abcd", "", "bcde"], [("abcd", False), ("", False), ("e", False)]),
        (["abcd", "cde"], [("abcd", False), ("e", False)]),
        # Repeated lines: as few as can be, and never one twice.
        (["aaaa", "aaaa"], [("aaaa", False), ("", False)]),
        (["aaab", "aaba"], [("aaab", False), ("a", False)]),
        (["abab", "abab"], [("abab", False), ("", False)]),
        (["xaba", "abab"], [("xaba", False), ("b", False)]),
        (["xaaa", "aaaa"], [("xaaa", False), ("a", False)]),
        (["aa", "aaa"], [("aa", False), ("a", False)]),
    ],
)
def test_windows(windows, expected):
    assert followed(*windows) == expected


@given(size=st.integers(1, 30), steps=st.lists(st.integers(0, 60), max_size=20))
def test_distinct_lines_are_followed_exactly_or_said_to_be_lost(size, steps):
    follower, seen, end = LogFollower(), [], 0
    for step in steps:
        begin, end = end, end + step
        window = [f"line {number}" for number in range(max(0, end - size), end)]
        lines, lost = follower.new_lines(window)
        skipped = begin > 0 and step >= size  # not one line of the window before is left
        assert lost == skipped
        seen += lines
        assert seen[len(seen) - len(lines) :] == ([f"line {number}" for number in range(begin, end)][-size:])
    if not any(step >= size for step in steps):
        assert seen == [f"line {number}" for number in range(end)]


@given(size=st.integers(1, 12), letters=st.text("ab", max_size=60), steps=st.lists(st.integers(0, 8), max_size=20))
def test_no_line_is_shown_twice_however_lines_repeat(size, letters, steps):
    """What cannot be known is left out: never more is shown than there was, and it ends as the log ends."""
    follower, shown, end = LogFollower(), "", 0
    for step in steps:
        end = min(len(letters), end + step)
        window = letters[max(0, end - size) : end]
        shown += "".join(follower.new_lines(window)[0])
        assert len(shown) <= end
        assert shown.endswith(window) or len(shown) < len(window)
