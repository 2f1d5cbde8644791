"""How far a job is behind: the arithmetic, and what it is made of."""

from __future__ import annotations

import json
import time

import pytest

from hdictl.errors import JobFileDamaged
from hdictl.show.lag import show_lag
from hdictl.streaming.lag import PartitionLag, QueryLag, reads_per_second
from hdictl.workflow.jobs.lag import job_lag
from tests.fakes.jobs import FakeOffsets


def lag(*partitions: tuple[int, int, int | None], reads: float | None = None, writes: float = 0.0) -> QueryLag:
    """Each partition by position, end, and since when its next record waits."""
    parts = [PartitionLag("t", n, at, None, end, since) for n, (at, end, since) in enumerate(partitions)]
    return QueryLag("j", "q", "g", tuple(parts), 10_000, reads, writes)


@pytest.mark.parametrize(
    ("found", "records", "seconds", "eta"),
    [
        (lag((5, 5, None), (7, 7, None)), 0, 0.0, 0.0),
        (lag((0, 100, 4_000), (50, 150, 1_000), reads=50.0), 200, 9.0, 4.0),
        (lag((0, 100, 4_000), reads=50.0, writes=30.0), 100, 6.0, 5.0),
        (lag((0, 100, 4_000), reads=30.0, writes=30.0), 100, 6.0, None),  # it does not catch up
        (lag((0, 100, 4_000)), 100, 6.0, None),  # nobody knows how fast it is
        (lag((0, 1, 11_000), reads=1.0), 1, 0.0, 1.0),  # a producer whose clock is ahead
        (lag((9, 5, None)), 0, 0.0, 0.0),  # the topic was made anew, and is shorter
        (lag(), 0, 0.0, 0.0),
    ],
)
def test_records_seconds_and_when_it_has_caught_up(found, records, seconds, eta):
    assert (found.records, found.seconds, found.eta_seconds) == (records, seconds, eta)


def test_how_fast_it_reads_is_told_by_batches_that_had_something_to_read():
    def batch(query: str, rows: int, ms: int) -> dict:
        return {"event": "batch", "query": query, "input_rows": rows, "duration_ms": ms}

    lines = [batch("q", 100, 500), batch("q", 0, 400), batch("other", 9, 9), {"event": "started"}, batch("q", 300, 500)]
    assert reads_per_second(lines, "q") == 400.0
    assert reads_per_second(lines[1:2], "q") is None
    assert reads_per_second([], "q") is None


def test_it_is_read_from_the_checkpoint_beside_the_group(driver, bound):
    now = round(time.time() * 1000)
    old, new = now - 3_600_000, now - 10_000
    # Three partitions: one is read to its end, one is behind, and one was added since.
    kafka = FakeOffsets({"orders": {0: [old, new], 1: [old, old, new], 2: [new]}})
    kafka.commit("clicks.orders.passed", {"orders": {0: 2}})
    write_checkpoint(driver, "passed", {"orders": {"0": 2, "1": 1}})
    driver.run("now")
    recent = [{"event": "batch", "query": "passed", "input_rows": 10, "duration_ms": 100}]
    driver.say("running", "now", recent=recent)
    (found,) = job_lag(driver, bound, kafka)
    assert (found.query, found.group, found.records) == ("passed", "clicks.orders.passed", 3)
    assert [(part.position, part.committed, part.end) for part in found.partitions] == [
        (2, 2, 2),
        (1, None, 3),
        (0, None, 1),
    ]
    assert 3_600 <= found.seconds < 3_700
    assert found.reads_per_second == 100.0
    assert found.writes_per_second == pytest.approx(3 / 60)


def test_one_that_has_not_finished_a_batch_has_everything_before_it(driver, bound):
    kafka = FakeOffsets({"orders": {0: [1, 2, 3], 1: [1, 2]}}, begins={"orders": {0: 1}})
    write_checkpoint(driver, "passed", None)
    driver.files.write("checkpoints/passed/hdictl.json", b'{"topics": {"orders": "id"}}')
    (found,) = job_lag(driver, bound, kafka)
    assert (found.records, found.reads_per_second, found.eta_seconds) == (4, None, None)


def test_one_that_is_stopped_does_not_catch_up(driver, bound, capsys):
    """However fast it was when it ran."""
    write_checkpoint(driver, "passed", {"orders": {"0": 1}})
    driver.run("now")
    batch = {"event": "batch", "query": "passed", "input_rows": 10, "duration_ms": 100}
    driver.say("stopped", "now", recent=[batch])
    driver.end()
    (found,) = job_lag(driver, bound, FakeOffsets({"orders": {0: [1, 2, 3]}}))
    assert (found.records, found.reads_per_second, found.eta_seconds, found.state) == (2, 100.0, None, "stopped")
    show_lag({"orders": [found]}, as_json=False)
    assert "stopped" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (lag((0, 100, 4_000)), "unknown"),
        (lag((0, 100, 4_000), reads=30.0, writes=30.0), "never"),
        (lag((0, 100, 4_000), reads=50.0), "2 s"),
    ],
)
def test_when_it_has_caught_up_in_words(capsys, found, said):
    show_lag({"orders": [found]}, as_json=False)
    line = capsys.readouterr().out.splitlines()[-1]
    assert said in line
    assert ("never" in line) == (said == "never")


def test_nothing_of_a_topic_that_was_made_anew_counts_as_read(driver, bound, capsys):
    write_checkpoint(driver, "passed", {"orders": {"0": 5}})
    driver.files.write("checkpoints/passed/hdictl.json", b'{"topics": {"orders": "old-id"}}')
    (found,) = job_lag(driver, bound, FakeOffsets({"orders": {0: [1, 2, 3]}}))
    assert (found.records, found.renewed) == (3, ("orders",))
    show_lag({"orders": [found]}, as_json=False)
    assert "topic `orders` was deleted and made anew" in capsys.readouterr().out


def test_the_same_topic_is_the_same(driver, bound):
    write_checkpoint(driver, "passed", {"orders": {"0": 2}})
    driver.files.write("checkpoints/passed/hdictl.json", b'{"topics": {"orders": "id-of-orders"}}')
    (found,) = job_lag(driver, bound, FakeOffsets({"orders": {0: [1, 2, 3]}}))
    assert (found.records, found.renewed) == (1, ())


def test_a_group_that_stands_elsewhere_is_told(driver, bound, capsys):
    write_checkpoint(driver, "passed", {"orders": {"0": 2, "1": 1}})
    kafka = FakeOffsets({"orders": {0: [1, 2, 3], 1: [1]}})
    kafka.commit("clicks.orders.passed", {"orders": {0: 1, 1: 1}})
    found = job_lag(driver, bound, kafka)
    assert [part.partition for part in found[0].apart] == [0]
    show_lag({"orders": found}, as_json=False)
    assert "elsewhere than its checkpoint (in brackets): orders p0 1 (2)" in capsys.readouterr().out


def test_a_job_that_never_ran_says_so(driver, bound, capsys):
    assert job_lag(driver, bound, FakeOffsets({})) == ()
    show_lag({"orders": ()}, as_json=False)
    assert capsys.readouterr().out == "orders has no checkpoint: it has never run, or was reset\n"


def test_offsets_that_cannot_be_read_are_an_error_and_a_note_is_not(driver, bound):
    write_checkpoint(driver, "passed", {"orders": {"0": 2}})
    driver.files.write("checkpoints/passed/hdictl.json", b"{")
    kafka = FakeOffsets({"orders": {0: [1, 2, 3]}})
    (found,) = job_lag(driver, bound, kafka)
    assert found.records == 1
    assert "hdictl.json cannot be read" in found.damage[0]
    driver.files.write("checkpoints/passed/offsets/0", b"")
    with pytest.raises(JobFileDamaged, match="offsets/0 cannot be read: it is empty"):
        job_lag(driver, bound, kafka)


def write_checkpoint(driver, query: str, offsets: dict | None, watermark: int = 0) -> None:
    text = "\n".join(["v1", json.dumps({"batchWatermarkMs": watermark, "conf": {}}), json.dumps(offsets or {})])
    driver.files.write(f"checkpoints/{query}/offsets/0", text.encode())
    if offsets is not None:
        driver.files.write(f"checkpoints/{query}/commits/0", b"v1")
