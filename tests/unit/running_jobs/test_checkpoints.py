"""What is in a checkpoint, as Spark writes it."""

from __future__ import annotations

import json

import pytest

from hdictl.show.checkpoints import show_checkpoints
from hdictl.streaming.checkpoint import to_checkpoint
from hdictl.workflow.jobs.checkpoints import read_checkpoints

METADATA = json.dumps({"batchWatermarkMs": 5_000, "conf": {"spark.sql.shuffle.partitions": "8"}})


def test_offsets_of_all_sources_watermark_and_what_is_pinned():
    text = "\n".join(["v1", METADATA, '{"a":{"0":5,"1":7}}', '{"b":{"0":3},"c":{"0":1}}']).encode()
    found = to_checkpoint("q", 4, 5, text, b'{"pipeline": "p"}')
    assert found.offsets == {"a": {0: 5, 1: 7}, "b": {0: 3}, "c": {0: 1}}
    assert (found.watermark_ms, found.pinned) == (5_000, {"spark.sql.shuffle.partitions": "8"})
    assert (found.is_settled, found.belongs_to) == (False, {"pipeline": "p"})


@pytest.mark.parametrize("source", ["-", "17"])
def test_a_source_that_has_given_nothing_yet_or_is_not_kafka(source):
    found = to_checkpoint("q", 0, 0, "\n".join(["v1", METADATA, source, '{"a":{"0":5}}']).encode(), None)
    assert (found.offsets, found.is_settled) == ({"a": {0: 5}}, True)


def test_what_was_moved_aside_and_what_is_half_written_is_no_checkpoint(driver):
    text = "\n".join(["v1", METADATA, '{"a":{"0":5}}']).encode()
    for place in ("q/offsets/0", "q/offsets/1", "q/offsets/.2.tmp", "_old/then/q/offsets/9"):
        driver.files.write(f"checkpoints/{place}", text)
    driver.files.write("checkpoints/q/commits/0", b"v1")
    driver.files.write("checkpoints/empty/hdictl.json", b"{}")
    found = {each.query: (each.committed, each.begun) for each in read_checkpoints(driver.files)}
    assert found == {"q": (0, 1), "empty": (-1, -1)}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "it is not there"),
        (b"", "it is empty"),
        (b"v1", "it ends after its version"),
        (b"v1\n{", "offsets/3 cannot be read"),
        (b"v1\n[]", "no metadata of Spark's"),
        (b'v1\n{}\n{"a":{"x":5}}', "offsets/3 cannot be read"),
        (b'v1\n{}\n{"a":[1]}', "offsets/3 cannot be read"),
        (b'v1\n{}\n{"a":{"0":null}}', "offsets/3 cannot be read"),
        (b"v1\n\xff", "offsets/3 cannot be read"),
    ],
)
def test_offsets_that_cannot_be_read_are_told(content, said):
    found = to_checkpoint("q", 3, 3, content, b'{"topics": {"a": "id"}}')
    assert said in found.offsets_damage
    assert (found.offsets, found.topics, found.note_damage) == ({}, {"a": "id"}, None)


@pytest.mark.parametrize("note", [b"", b"{", b"[]", b"\xff", b"null"])
def test_a_note_that_cannot_be_read_is_told_and_the_rest_is_known(note, capsys):
    found = to_checkpoint("q", 0, 0, f'v1\n{METADATA}\n{{"a":{{"0":5}}}}'.encode(), note)
    assert "checkpoints/q/hdictl.json cannot be read" in found.note_damage
    assert (found.offsets, found.operators, found.offsets_damage) == ({"a": {0: 5}}, (), None)
    show_checkpoints("orders", [found], as_json=False)
    assert "! checkpoints/q/hdictl.json cannot be read" in capsys.readouterr().out


@pytest.mark.parametrize("note", [b'{"topics": [], "operators": {}}', b"{}"])
def test_a_note_of_another_shape_says_nothing(note):
    found = to_checkpoint("q", -1, -1, None, note)
    assert (found.topics, found.operators, found.damage) == ({}, (), ())
