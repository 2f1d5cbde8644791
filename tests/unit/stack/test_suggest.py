from __future__ import annotations

import pytest

from hdictl.stack.suggest import did_you_mean, one_of


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("partition", ["partitions", "replication"], "partitions"),
        ("Page_Views", ["page-views"], "page-views"),
        ("zzz", ["page-views"], None),
        ("x" * 3000, ["x" * 2999], None),
        ("", ["a"], None),
        ("a", [], None),
    ],
)
def test_did_you_mean(word, known, meant):
    assert did_you_mean(word, known) == (f" (did you mean `{meant}`?)" if meant else "")


@pytest.mark.parametrize("slip", ["team-7.event-1234", "taem-7.events-1234", "team-7.events_1234", "team7.events-1234"])
def test_among_thousands(slip):
    known = [f"team-{number % 10}.events-{number}" for number in range(3000)]
    known[1234] = "team-7.events-1234"
    assert did_you_mean(slip, known) == " (did you mean `team-7.events-1234`?)"


def test_one_of():
    assert one_of(["a", "b"], "cluster") == "one of a, b"
    assert one_of(map(str, range(10)), "cluster") == "one of 0, 1, 2, 3, 4, 5, 6, 7 and 2 more"
    assert one_of([], "Kafka cluster") == "a Kafka cluster: there is none yet"
