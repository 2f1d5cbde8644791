"""Files that belong together."""

from __future__ import annotations

import pytest

from hdictl.drivers.file_set import write_files


def test_all_are_written_and_nothing_else(tmp_path):
    written = write_files(tmp_path / "new" / "folder", {"a.json": "ä\n", "b.json": "b\n"})
    assert [file.name for file in written] == ["a.json", "b.json"]
    assert sorted(file.name for file in (tmp_path / "new" / "folder").iterdir()) == ["a.json", "b.json"]
    assert written[0].read_bytes() == "ä\n".encode()


def test_when_one_cannot_be_written_the_old_ones_stay(tmp_path):
    (tmp_path / "a.json").write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_files(tmp_path, {"a.json": "new", "b.json": "\ud800"})
    assert (tmp_path / "a.json").read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["a.json"]
