"""What a job's folder does, wherever it lies: each test runs on this machine's disk and in a data lake."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hdictl.drivers.azure.data_lake import data_lake
from hdictl.drivers.job_folder import LocalFolder
from hdictl.errors import FileRefused, StorageFailed
from hdictl.ports.job_storage import JobStorage
from tests.fakes.azure import FakeCloud

_REFUSED = (FileRefused, StorageFailed)


@pytest.fixture(params=["disk", "lake"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[JobStorage]:
    if request.param == "disk":
        yield LocalFolder(tmp_path / "jobs" / "page-activity")
        return
    fake: FakeCloud = request.getfixturevalue("fake")
    fake.lakes.make("clickstream0a1b", "jobs")
    with data_lake("clickstream0a1b", "jobs", "hdictl/page-activity") as lake:
        yield lake


def _names(storage: JobStorage, folder: str) -> list[str]:
    return [each.name for each in storage.list(folder)]


def test_what_was_written_is_read(storage: JobStorage):
    storage.write("_control/submitted.json", b'{"id": 4}')

    assert storage.read("_control/submitted.json") == b'{"id": 4}'


@pytest.mark.parametrize("content", [b"", b"\x00\xff\xfe{", "Zürich\r\n".encode(), b"x" * 100_000])
def test_any_content(storage: JobStorage, content: bytes):
    storage.write("a", content)

    assert storage.read("a") == content


def test_what_is_not_there(storage: JobStorage):
    storage.write("a/file", b"x")

    assert storage.read("none") is None
    assert storage.read("a/none") is None
    assert storage.read("a/file/none") is None
    assert storage.read("a") is None
    assert storage.list("none") == ()
    assert storage.list("a/file") == ()
    storage.delete("none")


def test_before_anything_was_written(storage: JobStorage):
    assert storage.list("") == ()
    assert storage.read("_control/stop") is None
    storage.delete("")


def test_a_file_is_replaced(storage: JobStorage):
    storage.write("a", b"a longer content")
    storage.write("a", b"short")

    assert storage.read("a") == b"short"


def test_children_and_nothing_else_are_listed(storage: JobStorage):
    storage.write("checkpoints/top/hdictl.json", b"{}")
    storage.write("checkpoints/top/offsets/0", b"v1")
    storage.write("checkpoints/top.json", b"12345")
    storage.write("checkpoints-old/top", b"")
    before = time.time()

    folder, file = storage.list("checkpoints")

    assert (folder.name, folder.is_folder, folder.size) == ("top", True, 0)
    assert (file.name, file.is_folder, file.size) == ("top.json", False, 5)
    assert before - 60 < file.modified < before + 60
    assert _names(storage, "") == ["checkpoints", "checkpoints-old"]
    assert _names(storage, "checkpoints/top") == ["hdictl.json", "offsets"]


def test_many_children(storage: JobStorage):
    """More than a page of them, in the order of their names."""
    for number in (9, 10, 1, 5, 3, 2, 7):
        storage.write(f"_progress/{number}", b"x")

    assert _names(storage, "_progress") == ["1", "10", "2", "3", "5", "7", "9"]


@pytest.mark.parametrize("name", ["a b", "ä+ö", "50%25", "x=y&z", "part-00000-c000.snappy.parquet", "~a#b?c"])
def test_names_of_any_kind(storage: JobStorage, name: str):
    storage.write(f"tables/{name}", b"1")
    storage.move(f"tables/{name}", f"kept/{name}")

    assert _names(storage, "kept") == [name]
    assert storage.read(f"kept/{name}") == b"1"
    storage.delete(f"kept/{name}")
    assert storage.read(f"kept/{name}") is None


def test_no_draft_is_seen(storage: JobStorage):
    storage.write("a", b"1")
    storage.write(".a.0123.draft", b"left by somebody who was killed")

    assert _names(storage, "") == ["a"]


def test_a_file_is_deleted(storage: JobStorage):
    storage.write("_control/stop", b"")
    storage.delete("_control/stop")

    assert storage.read("_control/stop") is None
    assert _names(storage, "") == ["_control"]


def test_a_folder_is_deleted_with_all_that_is_in_it(storage: JobStorage):
    for number in range(8):
        storage.write(f"checkpoints/top/offsets/{number}", b"x")
    storage.write("checkpoints/top-2/metadata", b"{}")

    storage.delete("checkpoints/top")

    assert _names(storage, "checkpoints") == ["top-2"]


def test_everything_is_deleted(storage: JobStorage):
    storage.write("a/b", b"1")
    storage.delete("")

    assert storage.list("") == ()


def test_a_folder_is_moved(storage: JobStorage):
    storage.write("checkpoints/top/hdictl.json", b"{}")
    storage.write("checkpoints/top/offsets/0", b"v1")

    storage.move("checkpoints/top", "aside/2026-11-16/top")

    assert storage.list("checkpoints/top") == ()
    assert storage.read("aside/2026-11-16/top/offsets/0") == b"v1"


def test_nothing_is_moved_over_something(storage: JobStorage):
    storage.write("a", b"1")
    storage.write("b", b"2")

    with pytest.raises(_REFUSED, match="`b` is there already, so `a` cannot become it"):
        storage.move("a", "b")
    assert (storage.read("a"), storage.read("b")) == (b"1", b"2")


def test_nothing_is_moved_into_a_folder_of_the_name(storage: JobStorage):
    storage.write("a/file", b"1")
    storage.write("b/file", b"2")

    with pytest.raises(_REFUSED, match="`b` is there already"):
        storage.move("a", "b")
    assert (storage.read("a/file"), storage.read("b/file")) == (b"1", b"2")


def test_what_is_not_there_is_not_moved(storage: JobStorage):
    with pytest.raises(_REFUSED, match="there is no `a` to move"):
        storage.move("a", "b")


@pytest.mark.parametrize("size", [0, 5, 9 << 20])
def test_a_file_is_uploaded(storage: JobStorage, tmp_path: Path, size: int):
    jar = tmp_path / "library.jar"
    jar.write_bytes(bytes(range(256)) * (size // 256) + b"z" * (size % 256))

    storage.upload("package/library.jar", jar)
    storage.upload("package/library.jar", jar)

    assert storage.read("package/library.jar") == jar.read_bytes()
    assert _names(storage, "package") == ["library.jar"]


def test_an_upload_replaces_what_differs(storage: JobStorage, tmp_path: Path):
    jar = tmp_path / "library.jar"
    for content in (b"first", b"other", b"longer than both"):
        jar.write_bytes(content)
        storage.upload("package/library.jar", jar)

        assert storage.read("package/library.jar") == content


_USES: list[Callable[[JobStorage, str], object]] = [
    lambda storage, path: storage.read(path),
    lambda storage, path: storage.write(path, b""),
    lambda storage, path: storage.list(path),
    lambda storage, path: storage.delete(path),
    lambda storage, path: storage.move(path, "x"),
    lambda storage, path: storage.move("x", path),
]


@pytest.mark.parametrize("path", ["..", "../other", "a/../../b", "/etc", "a//b", "a/", "./a", "a\\..\\b"])
def test_a_path_that_leads_out_is_a_mistake_of_ours(storage: JobStorage, path: str):
    for use in _USES:
        with pytest.raises(ValueError, match="not a path within a job's folder"):
            use(storage, path)


def test_the_folder_is_no_file(storage: JobStorage):
    for use in (storage.read, lambda path: storage.write(path, b""), lambda path: storage.move(path, "x")):
        with pytest.raises(ValueError, match="not a file"):
            use("")
