"""A job's folder on this machine's disk: what the system refuses, and what is left behind."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from hdictl.drivers.job_folder import LocalFolder
from hdictl.errors import DiskFull, FileRefused


def test_spark_s_name_for_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)

    assert LocalFolder(tmp_path / "jobs").root == f"file://{tmp_path}/jobs"
    assert LocalFolder(Path("jobs")).root == f"file://{tmp_path}/jobs"


def test_nothing_is_made_before_something_is_written(tmp_path: Path):
    folder = LocalFolder(tmp_path / "jobs")
    folder.list("")
    folder.read("a")
    folder.delete("a")

    assert list(tmp_path.iterdir()) == []


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path):
    LocalFolder(tmp_path).write("a", b"old")

    with pytest.raises(FileRefused):
        LocalFolder(tmp_path).upload("a", tmp_path / "none")

    assert [file.name for file in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_bytes() == b"old"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_no_room(tmp_path: Path):
    class Full(LocalFolder):
        """Whose drafts are on a disk that is full."""

        def fill(self) -> None:
            self._put("a", lambda draft: Path("/dev/full").write_bytes(b"x" * 100_000))

    with pytest.raises(DiskFull) as caught:
        Full(tmp_path).fill()

    assert caught.value.where == str(tmp_path / "a")
    assert "make room" in (caught.value.fix or "")


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is refused to root")
def test_a_folder_that_is_not_ours(tmp_path: Path):
    closed = tmp_path / "closed"
    closed.mkdir()
    (closed / "file").write_bytes(b"x")
    closed.chmod(0o000)
    folder = LocalFolder(closed)
    try:
        for use in (
            lambda: folder.read("file"),
            lambda: folder.list(""),
            lambda: folder.write("a", b""),
            lambda: folder.delete("file"),
        ):
            with pytest.raises(FileRefused) as caught:
                use()
            assert caught.value.what == os.strerror(errno.EACCES)
            assert str(closed) in (caught.value.where or "")
    finally:
        closed.chmod(0o700)


def test_a_file_in_the_way_of_a_folder(tmp_path: Path):
    (tmp_path / "a").write_bytes(b"")

    with pytest.raises(FileRefused) as caught:
        LocalFolder(tmp_path).write("a/b", b"")

    assert caught.value.where == str(tmp_path / "a")


def test_a_folder_in_the_way_of_a_file(tmp_path: Path):
    (tmp_path / "a").mkdir()

    with pytest.raises(FileRefused):
        LocalFolder(tmp_path).write("a", b"")
    assert [file.name for file in tmp_path.iterdir()] == ["a"]


def test_what_a_link_leads_to_is_not_deleted(tmp_path: Path):
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_bytes(b"x")
    folder = tmp_path / "jobs"
    folder.mkdir()
    (folder / "link").symlink_to(kept)

    LocalFolder(folder).delete("link")

    assert (kept / "file").exists()
    assert list(folder.iterdir()) == []


def test_a_link_that_leads_nowhere_is_not_listed(tmp_path: Path):
    (tmp_path / "link").symlink_to(tmp_path / "gone")

    assert LocalFolder(tmp_path).list("") == ()
