"""No record that cannot be used passes in silence, and none stops the job."""

from __future__ import annotations

import json

from tests.acceptance.spark.fake_topic import SENT_AT, heartbeat, optimised_plan, view

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
    json.dumps(view("type", 1, event_time="yesterday")): "malformed",
    json.dumps(view("float", 1, event_time=1.5)): "malformed",
    json.dumps(view("huge", 1, event_time=10**30)): "malformed",
    json.dumps(view("null", 1, event_id=None)): "missing:event_id",
    json.dumps(view("late clock", 1, event_time=9 * 10**18)): "event_time:out_of_range",
    json.dumps(view("early clock", 1, event_time=-9 * 10**18)): "event_time:out_of_range",
    json.dumps(view("future", 1, event_time=SENT_AT + 3_600_001)): "event_time:in_the_future",
    json.dumps(view("kind", 1, event_type="purchase")): "expectation:known_type",
    json.dumps(view("page", 1, page=None)): "expectation:view_of_a_page",
    json.dumps(view("user", 1, user_id=None)): "expectation:view_of_a_page",
}


def test_what_cannot_be_used_is_a_dead_letter_that_says_why(bench):
    run = bench()
    run.send(GOOD, *ERRORS)
    assert run.errors() == ERRORS
    assert run.total("valid") == 1
    assert run.total("dead") == len(ERRORS)
    kinds = {kind.partition(":")[0] for kind in ERRORS.values()}
    assert sum(run.total(f"dead_{kind}") for kind in kinds) == len(ERRORS)


def test_a_dead_letter_is_the_record_as_it_was_and_where_it_lay(bench):
    run = bench()
    run.send(GOOD, "rubbish")
    assert run.dead_letters() == [
        (
            "key",
            "rubbish",
            {
                "error": "not_an_object",
                "pipeline": "page_activity",
                "topic": "page-views",
                "partition": "0",
                "offset": "1",
                "timestamp": str(SENT_AT),
            },
        )
    ]


def test_a_tombstone_is_neither_valid_nor_a_dead_letter(bench):
    run = bench()
    run.send(None, GOOD)
    assert run.dead_letters() == []
    assert (run.total("tombstones"), run.total("valid"), run.total("dead")) == (1, 1, 0)


def test_fields_that_nobody_declared_and_numbers_for_text_are_taken(bench):
    run = bench()
    run.send(view("more", 1, extra={"deep": [1]}), view("number", 1, user_id=7), heartbeat("h", 40))
    assert run.dead_letters() == []
    assert [(row["views"], row["visitors"]) for row in run.windows()] == [(2, 2)]


def test_a_source_without_expectations_or_limits_takes_more(bench, page_activity):
    from dataclasses import replace

    event_time = replace(page_activity.sources["page_views"].event_time, max_ahead_ms=None)
    run = bench(expectations={}, event_time=event_time)
    run.send(view("kind", 1, event_type="purchase"), view("future", 1, event_time=SENT_AT + 10**10))
    assert run.dead_letters() == []


def test_each_record_is_parsed_once(bench):
    run = bench()
    run.send(GOOD)
    dead = run.run_dead_letters()
    assert optimised_plan(run.output).count("from_json") == 1
    assert optimised_plan(dead).count("from_json") == 1
    dead.stop()
