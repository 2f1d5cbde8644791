"""Where a query stands, and where a new one begins."""

from __future__ import annotations

import pytest
from streamkit.checkpoint import Position, is_settled, position, to_position
from streamkit.control import starting_offsets
from streamkit.errors import SpecError

METADATA = '{"batchWatermarkMs":1767226200000,"batchTimestampMs":1,"conf":{"spark.sql.shuffle.partitions":"2"}}'


class Files:
    def __init__(self, **files: str) -> None:
        self._files = files

    def read(self, name: str) -> str | None:
        return self._files.get(name)

    def latest(self, folder: str) -> int:
        return max((int(name.rpartition("/")[2]) for name in self._files if name.startswith(folder + "/")), default=-1)


def test_the_offsets_of_all_sources_and_the_watermark():
    text = f'v1\n{METADATA}\n{{"a":{{"0":5,"1":6}}}}\n{{"b":{{"0":7}}}}'
    assert to_position(3, text) == Position(3, {"a": {"0": 5, "1": 6}, "b": {"0": 7}}, 1_767_226_200_000)


def test_sources_of_another_shape_or_without_any_offset_and_a_query_without_a_watermark():
    assert to_position(0, 'v1\n{}\n7\n-\n{"a":{"0":1}}') == Position(0, {"a": {"0": 1}}, 0)


def test_a_query_stands_at_its_last_committed_batch():
    offsets = {f"checkpoints/q/offsets/{batch}": f'v1\n{METADATA}\n{{"a":{{"0":{batch}}}}}' for batch in (0, 1, 2)}
    cut_short = Files(**offsets, **{"checkpoints/q/commits/0": "v1", "checkpoints/q/commits/1": "v1"})
    assert position(cut_short, "q") == Position(1, {"a": {"0": 1}}, 1_767_226_200_000)
    assert not is_settled(cut_short, "q")
    assert is_settled(Files(**{"checkpoints/q/offsets/4": "", "checkpoints/q/commits/4": ""}), "q")


def test_a_query_that_has_committed_nothing_stands_nowhere():
    assert position(Files(), "q") is None
    assert position(Files(**{"checkpoints/q/offsets/0": "v1"}), "q") is None
    assert is_settled(Files(), "q")


def test_where_a_new_query_begins():
    text = '{"views": {"t": {"0": 5, "1": -2}}, "clicks": "latest"}'
    found = starting_offsets(Files(**{"_control/starting_offsets.json": text}))
    assert found == {"views": '{"t": {"0": 5, "1": -2}}', "clicks": "latest"}


def test_nobody_has_said_where():
    assert starting_offsets(Files()) == {}


@pytest.mark.parametrize("text", ["", "rubbish", "[]", '"earliest"'])
def test_offsets_that_cannot_be_read_are_no_reason_to_begin_anywhere(text):
    with pytest.raises(SpecError, match=r"_control/starting_offsets\.json cannot be read"):
        starting_offsets(Files(**{"_control/starting_offsets.json": text}))
