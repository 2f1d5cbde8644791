"""JSON: no record that cannot be used passes in silence, and none stops the job."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.acceptance.streamkit.streams import SENT_AT, decoded, events, heartbeat, judgements, shipped, view

GOOD = json.dumps(view("good", 1))
ERRORS = {
    "": "empty",
    " \t\r\n": "empty",
    "{}": "missing:event_id,event_type,event_time",
    "[]": "not_an_object",
    "null": "not_an_object",
    "7": "not_an_object",
    "rubbish": "not_an_object",
    f"[{GOOD}, {GOOD}]": "not_an_object",
    "{": "malformed",
    GOOD[:-9]: "malformed",
    GOOD + " rubbish": "malformed",
    GOOD + GOOD: "malformed",
    GOOD + "," + GOOD: "malformed",
    GOOD + ', "x": {}': "malformed",
    GOOD + "], [{}": "malformed",
    json.dumps(view("type", 1, event_time="yesterday")): "malformed",
    json.dumps(view("float", 1, event_time=1.5)): "malformed",
    json.dumps(view("huge", 1, event_time=10**30)): "malformed",
    json.dumps(view("null", 1, event_id=None)): "missing:event_id",
    json.dumps(view("late clock", 1, event_time=9 * 10**18)): "event_time:out_of_range",
    json.dumps(view("early clock", 1, event_time=-9 * 10**18)): "event_time:out_of_range",
    json.dumps(view("future", 1, event_time=SENT_AT + 3_600_001)): "event_time:in_the_future",
    json.dumps(view("kind", 1, event_type="purchase")): "expectation:known_type",
    json.dumps(view("page", 1, page=None)): "expectation:of_a_user_on_a_page",
    json.dumps(view("user", 1, user_id=None)): "expectation:of_a_user_on_a_page",
    json.dumps(view("search", 1, event_type="search")): "expectation:search_for_something",
}


@pytest.fixture(scope="module")
def page_activity():
    return shipped("page_activity")


@pytest.fixture
def page_views(page_activity):
    return page_activity.sources["page_views"]


def test_what_cannot_be_used_is_a_dead_letter_that_says_why(stream, page_activity):
    run = stream(page_activity)
    run.send(GOOD, None, *ERRORS)
    letters, totals = run.dead()
    assert {value: headers["error"] for _key, value, headers in letters} == ERRORS
    assert (run.total("valid"), run.total("tombstones"), run.total("dead")) == (1, 1, len(ERRORS))
    kinds = {kind.partition(":")[0] for kind in ERRORS.values()}
    assert sum(totals[f"dead_{kind}"] for kind in kinds) == len(ERRORS)


def test_flows_and_dead_letters_judge_alike(spark, page_views):
    """They do not ask the same question: one wants to know whether, the other why."""
    values = [GOOD, None, *ERRORS]
    told = decoded(spark, page_views, *values)
    kinds = judgements(spark, page_views, *values)
    assert kinds == [(row._error == "tombstone", row._error not in (None, "tombstone")) for row in told]
    assert [row._error for row in told] == [None, "tombstone", *ERRORS.values()]


def test_a_dead_letter_is_the_record_as_it_was_and_where_it_lay(stream, page_activity):
    run = stream(page_activity)
    run.send(GOOD, "rubbish")
    letters, _totals = run.dead()
    assert letters == [
        (
            "key",
            "rubbish",
            {
                "error": "not_an_object",
                "pipeline": "page_activity",
                "topic": "page_views",
                "partition": "0",
                "offset": "1",
                "timestamp": str(SENT_AT),
            },
        )
    ]


def test_a_tombstone_is_neither_valid_nor_a_dead_letter(stream, page_activity):
    run = stream(page_activity)
    run.send(None, GOOD)
    assert run.dead()[0] == []
    assert (run.total("tombstones"), run.total("valid"), run.total("dead")) == (1, 1, 0)


def test_fields_that_nobody_declared_and_numbers_for_text_are_taken(spark, page_views):
    rows = decoded(spark, page_views, view("more", 1, extra={"deep": [1]}), view("number", 1, user_id=7))
    assert [(row._error, row.user_id) for row in rows] == [(None, "u1"), (None, "7")]


def test_a_source_without_expectations_or_limits_takes_more(spark, page_views):
    free = replace(page_views, expectations={}, event_time=replace(page_views.event_time, max_ahead_ms=None))
    values = view("kind", 1, event_type="purchase"), view("future", 1, event_time=SENT_AT + 10**10)
    assert [row._error for row in decoded(spark, free, *values)] == [None, None]


def test_what_is_older_than_the_source_takes_is_a_dead_letter_by_the_time_of_its_record(spark):
    source = events()
    source = replace(source, event_time=replace(source.event_time, max_behind_ms=1000))
    times = [SENT_AT - 1000, SENT_AT - 1001]
    found = decoded(spark, source, *({"id": "x", "at": time} for time in times))
    assert [row._error for row in found] == [None, "event_time:too_old"]
    again = decoded(spark, source, *({"id": "x", "at": time} for time in times), at=SENT_AT + 5000)
    assert [row._error for row in again] == ["event_time:too_old"] * 2


def test_a_field_of_any_type_and_any_depth_comes_as_it_is(spark):
    from tests.acceptance.streamkit.streams import a_source

    source = a_source({"a": "ARRAY<BIGINT>", "s": "STRUCT<`x y`: DOUBLE, t: STRING>", "b": "BOOLEAN"})
    [row] = decoded(spark, source, '{"a": [1, 2], "s": {"x y": 0.5, "t": "}"}, "b": true}')
    assert (row._error, row.a, row.s["x y"], row.s.t, row.b) == (None, [1, 2], 0.5, "}", True)


def test_an_expectation_that_comes_out_as_nothing_is_not_met(spark):
    [row] = decoded(spark, events(expectations={"some": "n > 0"}), {"id": "a", "at": 1})
    assert row._error == "expectation:some"


def test_a_heartbeat_is_a_valid_record(spark, page_views):
    [row] = decoded(spark, page_views, heartbeat("h", 1))
    assert row._error is None
