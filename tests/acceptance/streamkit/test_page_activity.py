"""A flow of a pipeline that ships, batch by batch: windows, lateness, repeated events."""

from __future__ import annotations

import random

import pytest

from tests.acceptance.streamkit.streams import MINUTE, START, heartbeat, optimised_plan, shipped, view


@pytest.fixture
def run(stream):
    return stream(shipped("page_activity"), "page_activity")


def windows(run) -> list[dict]:
    return sorted(run.rows(), key=lambda row: (row["window_start"], row["page"]))


def test_views_and_visitors_of_each_page_and_minute(run):
    run.send(
        view("1", 1, "/a"), view("2", 1.5, "/a", "u2"), view("3", 1.9, "/a"), view("4", 1, "/b"), view("5", 2, "/a")
    )
    assert windows(run) == []  # nothing is put out before it is final
    run.send(heartbeat("h", 30))
    assert windows(run) == [
        {"page": "/a", "window_start": START + MINUTE, "window_end": START + 2 * MINUTE, "views": 3, "visitors": 2},
        {"page": "/b", "window_start": START + MINUTE, "window_end": START + 2 * MINUTE, "views": 1, "visitors": 1},
        {"page": "/a", "window_start": START + 2 * MINUTE, "window_end": START + 3 * MINUTE, "views": 1, "visitors": 1},
    ]


def test_a_row_has_an_identity_that_depends_on_its_content_alone(run):
    run.send(view("1", 1, "/a"), heartbeat("h", 30))
    [(key, _value, headers)] = run.records()
    assert key == f"/a|{START + MINUTE}"
    assert headers == {"event_id": f"page_activity|page_activity|/a|{START + MINUTE}", "pipeline": "page_activity"}


def test_late_rows_are_dropped_one_by_one_and_counted(run):
    run.send(view("1", 1), heartbeat("h1", 20))
    # The watermark stands at minute 10. Minute 10.5 is later; minute 10 is not.
    run.send(view("2", 3), view("3", 3), view("4", 10), view("5", 10.5))
    run.send(heartbeat("h2", 60))
    assert run.total("late_rows") == 3
    assert [(row["window_start"] - START) // MINUTE for row in windows(run)] == [1, 10]


def test_a_heartbeat_moves_the_watermark_and_is_not_counted(run):
    run.send(view("1", 1), heartbeat("h", 30))
    assert [row["views"] for row in windows(run)] == [1]
    # If the filter on event_type were pushed below the watermark, nothing would have come out.
    plan = optimised_plan(run.query)
    assert plan.index("event_type") < plan.index("EventTimeWatermark")


def test_a_repeated_event_counts_once_in_one_batch_or_in_several(run):
    run.send(view("1", 1), view("1", 1), view("2", 1))
    run.send(view("1", 1), view("3", 1))
    run.send(heartbeat("h", 30))
    assert run.total("duplicate_rows") == 2
    assert [row["views"] for row in windows(run)] == [3]


def test_state_is_forgotten_behind_the_watermark(run):
    run.send(*(view(str(number), 1) for number in range(50)))
    run.send(heartbeat("h1", 30))
    run.send(heartbeat("h2", 60))
    windowed, deduplicated = run.query.lastProgress["stateOperators"]
    assert deduplicated["operatorName"].startswith("dedupe")
    assert (windowed["numRowsTotal"], deduplicated["numRowsTotal"]) == (0, 1)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_any_split_into_batches_gives_the_same_windows(run, seed):
    chance = random.Random(seed)
    events = [view(str(number), chance.uniform(1, 9), f"/{number % 3}", f"u{number % 5}") for number in range(60)]
    events += chance.sample(events, 10)
    chance.shuffle(events)
    at = sorted(chance.sample(range(1, len(events)), 3))
    for first, last in zip([0, *at], [*at, len(events)]):
        run.send(*events[first:last])
    run.send(heartbeat("h", 40))
    seen = {(event["page"], event["event_time"] // MINUTE): set() for event in events}
    for event in events:
        seen[event["page"], event["event_time"] // MINUTE].add((event["event_id"], event["user_id"]))
    expected = {
        (page, minute * MINUTE): (len(ids), len({user for _id, user in ids})) for (page, minute), ids in seen.items()
    }
    found = {(row["page"], row["window_start"]): (row["views"], row["visitors"]) for row in windows(run)}
    assert found == expected
    assert run.total("duplicate_rows") == 10
