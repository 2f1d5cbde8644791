"""What is in a checkpoint, as Spark writes it."""

from __future__ import annotations

import json

import pytest

from hdictl.streaming.checkpoint import to_checkpoint
from hdictl.workflow.jobs.checkpoints import read_checkpoints

METADATA = json.dumps({"batchWatermarkMs": 5_000, "conf": {"spark.sql.shuffle.partitions": "8"}})


def test_offsets_of_all_sources_watermark_and_what_is_pinned():
    text = "\n".join(["v1", METADATA, '{"a":{"0":5,"1":7}}', '{"b":{"0":3},"c":{"0":1}}'])
    found = to_checkpoint("q", 4, 5, text, b'{"pipeline": "p"}')
    assert found.offsets == {"a": {0: 5, 1: 7}, "b": {0: 3}, "c": {0: 1}}
    assert (found.watermark_ms, found.pinned) == (5_000, {"spark.sql.shuffle.partitions": "8"})
    assert (found.is_settled, found.belongs_to) == (False, {"pipeline": "p"})


@pytest.mark.parametrize("source", ["-", "17"])
def test_a_source_that_has_given_nothing_yet_or_is_not_kafka(source):
    found = to_checkpoint("q", 0, 0, "\n".join(["v1", METADATA, source, '{"a":{"0":5}}']), None)
    assert (found.offsets, found.is_settled) == ({"a": {0: 5}}, True)


def test_what_was_moved_aside_and_what_is_half_written_is_no_checkpoint(driver):
    text = "\n".join(["v1", METADATA, '{"a":{"0":5}}']).encode()
    for place in ("q/offsets/0", "q/offsets/1", "q/offsets/.2.tmp", "_old/then/q/offsets/9"):
        driver.files.write(f"checkpoints/{place}", text)
    driver.files.write("checkpoints/q/commits/0", b"v1")
    driver.files.write("checkpoints/empty/hdictl.json", b"{}")
    found = {each.query: (each.committed, each.begun) for each in read_checkpoints(driver.files)}
    assert found == {"q": (0, 1), "empty": (-1, -1)}
