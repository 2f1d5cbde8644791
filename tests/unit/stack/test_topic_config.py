"""Durations, sizes, and the one canonical spelling of a topic setting."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hdictl.stack.topic_config import TOPIC_SETTINGS, to_canonical, to_readable
from hdictl.stack.topic_setting_words import TOPIC_SETTING_WORDS
from hdictl.stack.units import byte_count, milliseconds, to_duration, to_size


@pytest.mark.parametrize(
    ("text", "expected"),
    [("3d", 259_200_000), ("90s", 90_000), ("1.5h", 5_400_000), ("15 min", 900_000), ("2w", 1_209_600_000), ("7ms", 7)],
)
def test_durations(text, expected):
    assert milliseconds(text) == expected


@pytest.mark.parametrize(("text", "expected"), [("50MB", 50_000_000), ("1GiB", 2**30), ("512 kb", 512_000), ("7B", 7)])
def test_sizes(text, expected):
    assert byte_count(text) == expected


@pytest.mark.parametrize("text", ["", "3", "d", "3 days", "-3d", "3dd", "9" * 3000 + "d", "9" * 25 + "d", "٣d"])
def test_what_is_no_duration(text):
    with pytest.raises(ValueError) as caught:
        milliseconds(text)
    assert len(str(caught.value)) < 200


@given(st.integers(0, 2**63 - 1))
def test_spelt_and_read_again(number):
    assert milliseconds(to_duration(number)) == number
    assert byte_count(to_size(number)) == number


@pytest.mark.parametrize(
    ("key", "written", "canonical"),
    [
        ("retention.ms", "3d", "259200000"),
        ("retention.ms", 1000, "1000"),
        ("retention.ms", "unlimited", "-1"),
        ("retention.ms", "-1", "-1"),
        ("segment.bytes", "1GiB", "1073741824"),
        ("cleanup.policy", "delete, compact", "compact,delete"),
        ("preallocate", True, "true"),
        ("preallocate", "True", "true"),
        ("min.cleanable.dirty.ratio", 1, "1.0"),
        ("min.insync.replicas", 2.0, "2"),
        ("unknown.key", True, "true"),
    ],
)
def test_canonical(key, written, canonical):
    assert to_canonical(key, written) == canonical


@pytest.mark.parametrize(
    ("key", "written"),
    [
        ("retention.ms", "soon"),
        ("retention.ms", True),
        ("retention.ms", -2),
        ("retention.ms", 2**63),
        ("segment.bytes", "3GiB"),
        ("segment.ms", 0),
        ("min.insync.replicas", 1.5),
        ("min.insync.replicas", "two"),
        ("min.cleanable.dirty.ratio", "half"),
        ("min.cleanable.dirty.ratio", float("nan")),
        ("cleanup.policy", "compacted"),
        ("cleanup.policy", ""),
        ("preallocate", "yes"),
        ("retention.ms", float("inf")),
    ],
)
def test_refused(key, written):
    with pytest.raises(ValueError, match=r"."):
        to_canonical(key, written)


@given(st.sampled_from(sorted(TOPIC_SETTINGS)), st.one_of(st.booleans(), st.integers(), st.floats(), st.text()))
def test_whatever_is_canonical_stays_so(key, written):
    try:
        canonical = to_canonical(key, written)
    except ValueError:
        return
    assert to_canonical(key, canonical) == canonical
    assert to_canonical(key, to_readable(key, canonical)) == canonical


def test_every_setting_has_words():
    assert set(TOPIC_SETTING_WORDS) == set(TOPIC_SETTINGS)
