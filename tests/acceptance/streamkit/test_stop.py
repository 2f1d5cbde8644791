"""A stop between two micro-batches, on a Spark that is at work."""

from __future__ import annotations

import time

from tests.acceptance.streamkit.streams import a_job, event, events

SLOW = "SELECT id, java_method('java.lang.Thread', 'sleep', n) AS slept FROM events"
PATIENCE = 120


def test_the_batch_that_is_under_way_is_finished(spark, stream, tmp_path):
    from streamkit.control import stop_between_batches

    running = stream(a_job({"events": events()}, SLOW))
    running.begin(*[event(str(number), 1, 200) for number in range(10)])
    offsets, commits = (tmp_path / "0" / "out" / part / "0" for part in ("offsets", "commits"))
    deadline = time.monotonic() + PATIENCE
    while not offsets.exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert not commits.exists()
    stop_between_batches([running.query])
    assert commits.exists()
    assert not running.query.isActive
    assert len(running.rows()) == 10
