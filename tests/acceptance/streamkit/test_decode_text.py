"""Lines of text: the groups of one regular expression are the fields."""

from __future__ import annotations

import pytest

from tests.acceptance.streamkit.streams import START, a_source, decoded, judgements

COLUMNS = {"host": "STRING", "n": "BIGINT", "at": "STRING", "rest": "STRING"}
PATTERN = r'(\S+) (\d+|-|many) \[([^\]]*)\] "([^"]*)"'
TIME = "[01/Jan/2026:00:00:00 +0000]"


@pytest.fixture(scope="module")
def lines():
    from streamkit.spec import EventTime

    event_time = EventTime("at", "1 minute", "dd/MMM/yyyy:HH:mm:ss Z")
    parts = {"format": "text", "pattern": PATTERN, "nothing": "-", "required": ["host", "at"]}
    return a_source(COLUMNS, event_time=event_time, **parts)


def test_groups_become_fields_of_their_types(spark, lines):
    [row] = decoded(spark, lines, f'web-1 7 {TIME} "a $1 \\ b"')
    assert (row._error, row.host, row.n, row.at, row.rest) == (None, "web-1", 7, START, "a $1 \\ b")


@pytest.mark.parametrize("end", ["\n", "\r\n", "  \n"])
def test_a_newline_at_the_end_belongs_to_nobody(spark, lines, end):
    [row] = decoded(spark, lines, f'w 7 {TIME} "a"{end}')
    assert (row._error, row.rest) == (None, "a")


def test_a_separator_in_the_text_itself_makes_no_field_more(spark, lines):
    [row] = decoded(spark, lines, f'w 7 {TIME} "a\u0001b"')
    assert (row._error, row.n, row.rest) == (None, 7, "a b")


def test_what_stands_for_nothing_is_nothing(spark, lines):
    given, needed = decoded(spark, lines, f'w - {TIME} ""', f'- 7 {TIME} "a"')
    assert (given._error, given.n, given.rest) == (None, None, "")
    assert needed._error == "missing:host"


def test_what_cannot_be_used_says_why(spark, lines):
    errors = {
        None: "tombstone",
        "": "empty",
        " ": "empty",
        "\r\n": "empty",
        "rubbish": "malformed",
        f'x w 7 {TIME} "a"': "malformed",
        f'w 7 {TIME} "a" x': "malformed",
        f'w 7 {TIME} "a"\nw 7 {TIME} "a"': "malformed",
        f'w many {TIME} "a"': "malformed",  # not a number
        f'w 99999999999999999999 {TIME} "a"': "malformed",
        b"\xff\xfe": "malformed",
        'w 7 [] "a"': "event_time:out_of_range",
        'w 7 [yesterday] "a"': "event_time:out_of_range",
        'w 7 [31/Feb/2026:00:00:00 +0000] "a"': "event_time:out_of_range",
        'w 7 [01/Jan/26:00:00:00 +0000] "a"': "event_time:out_of_range",
        'w 7 [-] "a"': "missing:at",
    }
    assert [row._error for row in decoded(spark, lines, *errors)] == list(errors.values())
    assert [dead for _is_tombstone, dead in judgements(spark, lines, *errors)] == [
        error not in (None, "tombstone") for error in errors.values()
    ]


def test_a_pattern_of_one_group_does_not_take_what_does_not_match(spark):
    source = a_source({"word": "STRING"}, format="text", pattern=r"([a-z]+)")
    taken, refused = decoded(spark, source, "abc", "ABC")
    assert (taken._error, taken.word, refused._error) == (None, "abc", "malformed")


def test_a_group_that_took_no_part_gives_no_number_and_an_empty_text(spark):
    source = a_source({"a": "STRING", "n": "BIGINT", "b": "STRING"}, format="text", pattern=r"(\w+)(?: (\d+))?( x)?")
    rows = decoded(spark, source, "w 7 x", "w")
    assert [(row._error, row.a, row.n, row.b) for row in rows] == [(None, "w", 7, " x"), (None, "w", None, "")]


def test_more_than_nine_groups(spark):
    names = "abcdefghijkl"
    source = a_source(dict.fromkeys(names, "STRING"), format="text", pattern=" ".join(r"(\w)" for _ in names))
    [row] = decoded(spark, source, " ".join(names))
    assert [row[name] for name in names] == list(names)
