"""Files and folders of a file system with a hierarchical namespace: what a data lake keeps."""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.fakes.azure.messages import Refused

_versions = itertools.count(0x8DD000000000001)


@dataclass
class Entry:
    is_folder: bool
    metadata: Mapping[str, str] = field(default_factory=dict)
    content: bytes = b""
    appended: dict[int, bytes] = field(default_factory=dict)  # by position; nobody sees it before it is flushed
    etag: str = ""
    modified: float = 0.0

    def touch(self) -> None:
        self.etag, self.modified = f'"0x{next(_versions):X}"', time.time()


class LakeFiles:
    """Paths have no slash at either end. The root is not among them, and always there."""

    def __init__(self) -> None:
        self.entries: dict[str, Entry] = {}

    def find(self, path: str) -> Entry:
        found = self.entries.get(path)
        if found is None:
            raise Refused(404, "PathNotFound", "The specified path does not exist.")
        return found

    def below(self, path: str) -> list[str]:
        start = f"{path}/" if path else ""
        return sorted(each for each in self.entries if each.startswith(start))

    def children(self, path: str) -> list[str]:
        """Of a file, the file itself."""
        if path and not self.find(path).is_folder:
            return [path]
        return [each for each in self.below(path) if each.rpartition("/")[0] == path]

    def create(self, path: str, *, is_folder: bool, metadata: Mapping[str, str], only_new: bool) -> Entry:
        """A file of the name is emptied; a folder keeps what is in it. Folders above are made."""
        existing = self.entries.get(path)
        if existing is not None and only_new:
            raise _exists()
        if existing is not None and existing.is_folder != is_folder:
            raise Refused(
                409,
                "PathConflict",
                "The specified path, or an element of the path, exists and its "
                "resource type is invalid for this operation.",
            )
        self._make_parents(path)
        made = Entry(is_folder, metadata)
        made.touch()
        self.entries[path] = made
        return made

    def append(self, path: str, position: int, content: bytes) -> None:
        """The same position twice is one piece: a client may repeat what it has no answer to."""
        if not content:
            raise Refused(
                400, "InvalidHeaderValue", "The value for one of the HTTP headers is not in the correct format."
            )
        self._file(path).appended[position] = content

    def flush(self, path: str, position: int) -> Entry:
        file = self._file(path)
        whole = file.content
        for start, piece in sorted(file.appended.items()):
            if start == len(whole):
                whole += piece
        if len(whole) != position:
            raise Refused(
                400,
                "InvalidFlushPosition",
                "The uploaded data is not contiguous or the position query parameter value is not equal to the length "
                "of the file after appending the uploaded data.",
            )
        file.content, file.appended = whole, {}
        file.touch()
        return file

    def rename(self, source: str, target: str, *, only_new: bool) -> Entry:
        """Unlike creation it makes no folders. Metadata and ETag go along: Hadoop's driver of this storage knows a
        rename whose answer was lost by the ETag (ABFS, rename recovery)."""
        if source not in self.entries:
            raise Refused(404, "SourcePathNotFound", "The source path for a rename operation does not exist.")
        existing = self.entries.get(target)
        if existing is not None and only_new:
            raise _exists()
        if self.below(target):
            raise _not_empty()  # as it answers the SDK: Azure/azure-sdk-for-python#10311
        parent = target.rpartition("/")[0]
        if parent and parent not in self.entries:
            message = "The parent directory of the destination path does not exist."
            raise Refused(404, "RenameDestinationParentPathNotFound", message)
        for path in [source, *self.below(source)]:
            self.entries[target + path.removeprefix(source)] = self.entries.pop(path)
        return self.entries[target]

    def remove(self, path: str, *, recursive: bool) -> None:
        self.find(path)
        inside = self.below(path)
        if inside and not recursive:
            raise _not_empty()
        for each in [path, *inside]:
            del self.entries[each]

    def _file(self, path: str) -> Entry:
        found = self.find(path)
        if found.is_folder:
            raise Refused(409, "ResourceTypeMismatch", "The resource type is not supported by this operation.")
        return found

    def _make_parents(self, path: str) -> None:
        parent = path.rpartition("/")[0]
        if not parent:
            return
        if parent in self.entries:
            if not self.entries[parent].is_folder:
                raise Refused(409, "PathConflict", "An element of the path exists and is not a directory.")
            return
        self.create(parent, is_folder=True, metadata={}, only_new=False)


def _exists() -> Refused:
    return Refused(409, "PathAlreadyExists", "The specified path already exists.")


def _not_empty() -> Refused:
    message = "The recursive query parameter value must be true to delete a non-empty directory."
    return Refused(409, "DirectoryNotEmpty", message)
