"""A job's folder on this machine's disk."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from hdictl.drivers.job_paths import draft_name, file_parts, is_draft, parts_of
from hdictl.errors import DiskFull, FileRefused, HdictlError
from hdictl.ports.job_storage import StoredFile


class LocalFolder:
    """`hdictl.ports.job_storage.JobStorage`. The folder is made by the first file that is written into it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.absolute()
        self.root = self._folder.as_uri()

    def read(self, path: str) -> bytes | None:
        file = self._folder.joinpath(*file_parts(path))
        with _named(file):
            try:
                return file.read_bytes()
            except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
                return None

    def list(self, folder: str) -> tuple[StoredFile, ...]:
        place = self._folder.joinpath(*parts_of(folder))
        with _named(place):
            try:
                found = [child for child in place.iterdir() if not is_draft(child.name)]
            except (FileNotFoundError, NotADirectoryError):
                return ()
            return tuple(file for child in sorted(found) if (file := _stored(child)) is not None)

    def write(self, path: str, content: bytes) -> None:
        self._put(path, lambda draft: draft.write_bytes(content))

    def upload(self, path: str, file: Path) -> None:
        self._put(path, lambda draft: shutil.copyfile(file, draft))

    def delete(self, path: str) -> None:
        place = self._folder.joinpath(*parts_of(path))
        with _named(place):
            try:
                if place.is_dir() and not place.is_symlink():
                    shutil.rmtree(place)
                else:
                    place.unlink()
            except (FileNotFoundError, NotADirectoryError):
                return

    def move(self, path: str, to: str) -> None:
        source = self._folder.joinpath(*file_parts(path))
        target = self._folder.joinpath(*file_parts(to))
        with _named(source):
            # Asked before, because a rename puts itself over a file, and over an empty folder.
            if os.path.lexists(target):
                raise FileRefused(
                    f"`{to}` is there already, so `{path}` cannot become it",
                    where=str(self._folder),
                    fix="remove it, or name another place",
                )
            if not os.path.lexists(source):
                raise FileRefused(
                    f"there is no `{path}` to move", where=str(self._folder), fix="see what is in the folder"
                )
            target.parent.mkdir(parents=True, exist_ok=True)
            source.rename(target)

    def _put(self, path: str, fill: Callable[[Path], object]) -> None:
        """By rename: a job reads `_control` at any moment, and half a file would be a wrong one."""
        file = self._folder.joinpath(*file_parts(path))
        draft = file.with_name(draft_name(file.name))
        with _named(file):
            file.parent.mkdir(parents=True, exist_ok=True)
            try:
                fill(draft)
                draft.replace(file)
            finally:
                draft.unlink(missing_ok=True)


def _stored(file: Path) -> StoredFile | None:
    """None for what has gone in the meantime: a running job renames its files all the time."""
    try:
        status = file.stat()
    except FileNotFoundError:
        return None
    is_folder = file.is_dir()
    return StoredFile(file.name, is_folder, 0 if is_folder else status.st_size, status.st_mtime)


@contextmanager
def _named(place: Path) -> Iterator[None]:
    """What the system refuses comes out as one of our errors."""
    try:
        yield
    except OSError as error:
        raise _refusal(error, place) from None


def _refusal(error: OSError, place: Path) -> HdictlError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFull("no room is left for the job's files", where=str(place), fix="make room, then run this again")
    named = Path(error.filename or place)
    return FileRefused(
        error.strerror or str(error),
        where=str(place if is_draft(named.name) else named),
        fix="see that the folder is yours and holds nothing of somebody else's",
    )
