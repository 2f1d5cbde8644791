"""What transforms do with streams: each operation has the right answer, and forgets."""

from __future__ import annotations

import random

import pytest

from tests.acceptance.streamkit.streams import MINUTE, START, a_job, event, events, transform

SESSIONS = transform("return sessions(inputs['events'], 'at', '5 minutes', ['id'], F.count('*').alias('events'))")
TUMBLING = transform("return tumbling(inputs['events'], 'at', '10 minutes', ['id'], F.sum('n').alias('total'))")
JOIN = transform(
    "pairs = interval_join(inputs['first'], inputs['second'], 'id', ('at', 'at'), parameters['within'])\n"
    "return pairs.selectExpr('id', 'first.n AS first', 'second.n AS second')"
)


def minutes(row: dict) -> tuple:
    return row["id"], (row["window_start"] - START) / MINUTE, (row["window_end"] - START) / MINUTE


def deduplicated():
    return a_job({"events": events(deduplicate=["id"])}, "SELECT id, unix_millis(at) AS at, n FROM events")


def joined(watermark: str = "2 minutes"):
    sources = {name: events(watermark) for name in ("first", "second")}
    return a_job(sources, python=JOIN, parameters={"within": "5 minutes"})


def state_rows(run) -> int:
    return sum(operator["numRowsTotal"] for operator in run.query.lastProgress["stateOperators"])


def test_a_copy_with_another_time_is_known_where_spark_can_know_it(spark, stream):
    """Spark 3.5 remembers ids for as long as the watermark; 3.3 remembers an id together with its event time."""
    run = stream(deduplicated())
    run.send(event("a", 1), event("a", 1), event("b", 1))
    run.send(event("a", 1), event("a", 2))
    is_newer = tuple(int(part) for part in spark.version.split(".")[:2]) >= (3, 5)
    assert sorted(row["id"] for row in run.rows()) == (["a", "b"] if is_newer else ["a", "a", "b"])
    assert run.total("duplicate_rows") == (3 if is_newer else 2)


def test_an_id_is_forgotten_when_no_copy_of_it_can_come_any_more(stream):
    run = stream(deduplicated())
    run.send(*(event(str(number), 1) for number in range(20)))
    run.send(event("x", 40))
    run.send(event("y", 80))
    assert state_rows(run) == 1


def test_records_of_two_sources_come_in_one_batch(stream):
    run = stream(joined())
    for minute in range(8):
        run.send(first=[event(f"a{minute}", minute)], second=[event(f"a{minute}", minute + 1)])
    read = [[source["numInputRows"] for source in report["sources"]] for report in run.query.recentProgress]
    assert [rows for rows in read if any(rows)] == [[1, 1]] * 8


def test_sessions_end_with_a_pause(stream):
    run = stream(a_job({"events": events()}, python=SESSIONS))
    run.send(event("a", 1), event("a", 5), event("b", 3), event("a", 18))
    run.send(event("a", 9))  # late, but not too late: it makes the first session longer
    run.send(event("z", 60))
    assert sorted((*minutes(row), row["events"]) for row in run.rows()) == [
        ("a", 1, 14, 3),
        ("a", 18, 23, 1),
        ("b", 3, 8, 1),
    ]
    assert state_rows(run) == 1


def test_windows_are_put_out_once_when_they_are_over(stream):
    run = stream(a_job({"events": events()}, python=TUMBLING))
    run.send(event("a", 1, 2), event("a", 9.99, 3), event("a", 10, 5))
    assert run.rows() == []
    run.send(event("a", 19.99, 7))  # the watermark stands before the first window's end
    assert run.rows() == []
    run.send(event("a", 20, 1))
    assert [(*minutes(row), row["total"]) for row in run.rows()] == [("a", 0, 10, 5)]
    run.send(event("z", 60, 0))
    assert [(*minutes(row), row["total"]) for row in run.rows() if row["id"] == "a"] == [
        ("a", 20, 30, 1),
        ("a", 10, 20, 12),
        ("a", 0, 10, 5),
    ]


def test_a_pair_is_one_whose_second_comes_within_the_bound(stream):
    run = stream(joined())
    run.send(first=[event("a", 1, 1)], second=[event("a", 0.99, 10), event("a", 1, 11), event("b", 2, 12)])
    run.send(second=[event("a", 6, 13), event("a", 6.01, 14)], first=[event("b", 1.5, 2)])
    found = [(row["id"], row["first"], row["second"]) for row in run.rows()]
    assert sorted(found) == [("a", 1, 11), ("a", 1, 13), ("b", 2, 12)]


def test_a_row_that_can_have_no_partner_any_more_is_forgotten(spark, stream):
    buckets = 3 if spark.version < "3.5" else 1  # that a second row waits in
    run = stream(joined())
    run.send(
        first=[event(str(number), 1, number) for number in range(20)],
        second=[event(f"s{number}", 1, number) for number in range(20)],
    )
    assert state_rows(run) == 20 + buckets * 20
    run.send(first=[event("x", 60, 0)], second=[event("y", 60, 0)])
    run.send(first=[event("x", 61, 0)], second=[event("y", 61, 0)])
    assert state_rows(run) == 2 + buckets * 2


@pytest.mark.parametrize("shown", [0.5, 2.49, 2.5, 4.99, 5])
def test_a_row_is_kept_until_its_last_partner_can_have_come(stream, shown):
    run = stream(joined())
    run.send(first=[event("a", shown, 1)], second=[])
    for minute in range(1, 6):  # the watermark follows, to just before the last moment
        run.send(first=[event("x", shown + minute, 0)], second=[event("y", shown + minute, 0)])
    run.send(first=[], second=[event("a", shown + 5, 2)])
    assert [(row["first"], row["second"]) for row in run.rows()] == [(1, 2)]


def test_every_row_of_the_stream_has_what_the_table_knows_of_it(stream, tmp_path):
    from streamkit.spec import Table

    (tmp_path / "names.csv").write_text("id,name\na,Ann\nb,Bob\n")
    table = Table((tmp_path / "names.csv").as_uri(), "csv", {"id": "STRING", "name": "STRING"}, {"header": "true"})
    python = transform("return enrich(inputs['events'], inputs['names'], 'id').select('id', 'name', 'n')")
    run = stream(a_job({"events": events()}, python=python, tables={"names": table}))
    run.send(event("a", 1, 1), event("c", 1, 2))
    assert run.rows() == [{"id": "a", "n": 1, "name": "Ann"}, {"id": "c", "n": 2}]
    plan = run.query._jsq.streamingQuery().lastExecution().executedPlan().toString()
    assert "BroadcastHashJoin" in plan
    assert run.query.lastProgress["stateOperators"] == []


@pytest.mark.parametrize("seed", [1, 2])
def test_any_split_into_batches_gives_the_same_pairs(stream, seed):
    chance = random.Random(seed)
    sides = {
        side: [event(f"k{chance.randrange(8)}", chance.uniform(1, 9), number) for number in range(30)]
        for side in ("first", "second")
    }
    run = stream(joined("10 minutes"))
    for side, each in sides.items():
        chance.shuffle(each)
        sides[side] = each
    cut = chance.randrange(1, 29)
    for part in (slice(0, cut), slice(cut, None)):
        run.send(**{side: each[part] for side, each in sides.items()})
    expected = sorted(
        (one["id"], one["n"], other["n"])
        for one in sides["first"]
        for other in sides["second"]
        if one["id"] == other["id"] and 0 <= other["at"] - one["at"] <= 5 * MINUTE
    )
    assert sorted((row["id"], row["first"], row["second"]) for row in run.rows()) == expected
    assert expected


@pytest.mark.parametrize("seed", [1, 2])
def test_any_split_into_batches_gives_the_same_sessions(stream, seed):
    chance = random.Random(seed)
    sent = [event(f"k{chance.randrange(4)}", chance.uniform(1, 30), 1) for _ in range(25)]
    run = stream(a_job({"events": events("40 minutes")}, python=SESSIONS))
    cut = chance.randrange(1, 24)
    run.send(*sent[:cut])
    run.send(*sent[cut:])
    run.send(event("z", 200))
    assert sorted((row["id"], row["window_start"], row["window_end"], row["events"]) for row in run.rows()) == sorted(
        expected_sessions(sent)
    )


def expected_sessions(sent: list[dict]) -> list[tuple]:
    found = []
    for key in {each["id"] for each in sent}:
        times = sorted(each["at"] for each in sent if each["id"] == key)
        start = last = times[0]
        count = 0
        for time in [*times, 10**15]:
            if time - last > 5 * MINUTE:
                found.append((key, start, last + 5 * MINUTE, count))
                start, count = time, 0
            last, count = time, count + 1
    return found
