"""Files in a job's folder, through Hadoop."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def storage(spark, tmp_path):
    from streamkit.storage import Storage

    return Storage(spark, tmp_path.as_uri() + "/")


def test_what_is_written_is_read_and_nothing_else_is_left(storage, tmp_path):
    storage.write("_progress/state.json", "ü1")
    storage.write("_progress/state.json", "ü2")
    assert storage.read("_progress/state.json") == "ü2"
    assert [file.name for file in (tmp_path / "_progress").iterdir()] == ["state.json"]


def test_what_is_not_there(storage):
    assert storage.read("none") is None
    assert not storage.exists("none")
    assert storage.latest("none") == -1
    storage.delete("none")


def test_whoever_dies_in_the_last_step_of_writing_loses_nothing(storage, tmp_path):
    """The old file is deleted and the new one has not got its name: a checkpoint's note would be gone for good."""
    storage.write("note", "old")
    (tmp_path / "note.draft").write_text("new")
    assert storage.read("note") == "old"
    (tmp_path / "note").unlink()
    assert storage.read("note") == "new"
    storage.write("note", "newer")
    assert storage.read("note") == "newer"
    assert not (tmp_path / "note.draft").exists()


def test_whoever_could_write_nothing_has_left_nothing(storage, tmp_path):
    """A full disk makes a file and no content: that is no note, and must not be taken for one."""
    (tmp_path / "note.draft").touch()
    assert storage.read("note") is None
    storage.write("note", "new")
    assert storage.read("note") == "new"


def test_a_write_that_fails_leaves_no_draft(spark, tmp_path):
    from py4j.protocol import Py4JJavaError
    from streamkit.storage import Storage

    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no device here that is always full")
    (tmp_path / "note.draft").symlink_to(full)
    with pytest.raises(Py4JJavaError, match="No space left on device"):
        Storage(spark, tmp_path.as_uri()).write("note", "text")
    assert list(tmp_path.iterdir()) == []


def test_the_last_of_numbered_files(storage, tmp_path):
    for name in ("9", "10", ".10.crc", "11.compact", "x"):
        (tmp_path / "offsets").mkdir(exist_ok=True)
        (tmp_path / "offsets" / name).touch()
    assert storage.latest("offsets") == 10


def test_a_stop_is_asked_for_by_a_file(storage, tmp_path):
    from streamkit.control import clear_stop, is_stop_asked

    assert not is_stop_asked(storage)
    (tmp_path / "_control").mkdir()
    (tmp_path / "_control" / "stop").touch()
    assert is_stop_asked(storage)
    clear_stop(storage)
    assert not is_stop_asked(storage)
