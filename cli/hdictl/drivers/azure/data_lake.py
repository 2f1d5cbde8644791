"""A job's folder in a data lake: ADLS Gen2, the storage that a cluster works on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

from hdictl.drivers.azure.credential import sign_in
from hdictl.drivers.azure.data_lake_errors import Lake, is_absent, is_already_there, told_of
from hdictl.drivers.azure.settings import Settings, settings
from hdictl.drivers.job_paths import draft_name, file_parts, is_draft, parts_of
from hdictl.errors import HdictlError, StorageFailed
from hdictl.ports.job_storage import StoredFile

if TYPE_CHECKING:
    from azure.storage.filedatalake import DataLakeDirectoryClient, DataLakeFileClient, FileSystemClient

_CONNECT_SECONDS = 20
_READ_SECONDS = 60
_PIECE = 8 << 20  # of a large file; what is lost on the way is sent again by the piece
_SUM = "sha256"  # in a file's metadata, which a rename keeps
_Given = TypeVar("_Given")


@contextmanager
def data_lake(account: str, file_system: str, folder: str, told: Settings | None = None) -> Iterator[DataLakeFolder]:
    """Nothing is asked yet: who is not signed in, or kept out, learns it at the first request."""
    from azure.storage.filedatalake import FileSystemClient

    from hdictl.drivers.azure.storage_retry import StorageRetry

    lake = Lake(account, file_system, "/".join(file_parts(folder)))  # the file system itself is the cluster's
    known = told or settings()
    with FileSystemClient(
        known.storage(account),
        file_system,
        credential=sign_in(),
        retry_policy=StorageRetry(known),
        connection_timeout=_CONNECT_SECONDS,
        read_timeout=_READ_SECONDS,
    ) as client:
        yield DataLakeFolder(client, lake)


class DataLakeFolder:
    """`hdictl.ports.job_storage.JobStorage`."""

    def __init__(self, client: FileSystemClient, lake: Lake) -> None:
        self._client = client
        self._lake = lake
        self.root = lake.root

    def read(self, path: str) -> bytes | None:
        file = self._file(self._whole(*file_parts(path)))

        def content() -> bytes | None:
            download = file.download_file()
            # A folder reads as a file without content, and says so in its metadata.
            return None if _is_folder(download.properties.metadata) else download.readall()

        return self._present(content)

    def list(self, folder: str) -> tuple[StoredFile, ...]:
        inside = self._whole(*parts_of(folder))
        found = self._present(lambda: tuple(self._client.get_paths(inside, recursive=False))) or ()
        places = [(PurePosixPath(each.name), each) for each in found]
        children = [
            StoredFile(place.name, bool(each.is_directory), each.content_length or 0, each.last_modified.timestamp())
            for place, each in places
            if str(place.parent) == inside and not is_draft(place.name)
        ]
        return tuple(sorted(children, key=lambda child: child.name))

    def write(self, path: str, content: bytes) -> None:
        self._put(path, [content] if content else [], hashlib.sha256(content).hexdigest())

    def upload(self, path: str, file: Path) -> None:
        """What is there already, by size and SHA-256, is not sent again: jars are large and seldom change."""
        digest = _digest(file)
        there = self._properties(self._whole(*file_parts(path)))
        if there is None or there.size != file.stat().st_size or (there.metadata or {}).get(_SUM) != digest:
            self._put(path, _pieces(file), digest)

    def delete(self, path: str) -> None:
        # Of a file too: the service asks to be told `recursive` of folders, and does not mind it of files. A large
        # folder is gone through in several requests, for its permissions, and goes with the last of them.
        folder = self._folder(self._whole(*parts_of(path)))
        self._present(folder.delete_directory)

    def move(self, path: str, to: str) -> None:
        from azure.core import MatchConditions
        from azure.core.exceptions import ResourceExistsError

        source, target = self._whole(*file_parts(path)), self._whole(*file_parts(to))
        if self._properties(source) is None:
            raise StorageFailed(f"there is no `{path}` to move", where=self.root, fix="see what is in the folder")
        with told_of(self._lake):
            self._make_folder(str(PurePosixPath(target).parent))
            try:
                self._rename(source, target, match_condition=MatchConditions.IfMissing)
                is_taken = False
            except ResourceExistsError as error:
                is_taken = is_already_there(error)
                if not is_taken:
                    raise
        if is_taken:
            raise StorageFailed(
                f"`{to}` is there already, so `{path}` cannot become it",
                where=self.root,
                fix="remove it, or name another place",
            )

    def _put(self, path: str, pieces: Iterable[bytes], digest: str) -> None:
        """To a draft, then renamed over what is there.

        Creating a file empties the one of its name at once, and what is appended is seen only when it is flushed: in
        between a reader would find an empty file. A rename is one step, and there are no two writers of one draft.
        """
        *above, name = file_parts(path)
        draft = self._whole(*above, draft_name(name))
        try:
            self._fill(self._file(draft), pieces, digest)
            with told_of(self._lake):
                self._rename(draft, self._whole(*above, name))
        except Exception:
            self._drop(draft)
            raise

    def _fill(self, file: DataLakeFileClient, pieces: Iterable[bytes], digest: str) -> None:
        """Step by step: `upload_data` makes no file of no bytes, and refuses its own flush when the answer to the
        first try was lost."""
        with told_of(self._lake):
            file.create_file(metadata={_SUM: digest})  # and the folders above it
        length = 0
        for piece in pieces:
            with told_of(self._lake):
                file.append_data(piece, length, len(piece))
            length += len(piece)
        if length:
            with told_of(self._lake):
                file.flush_data(length, close=True)

    def _rename(self, source: str, target: str, **condition: Any) -> None:
        from azure.core.exceptions import HttpResponseError

        try:
            # Quoted, because the SDK takes quotation out of the name that it renames, and only of that one: Spark
            # names partitions `hour=10%3A00`.
            self._file(quote(source)).rename_file(f"{self._lake.file_system}/{target}", **condition)
        except HttpResponseError as error:
            # The answer to a first try was lost, and the second found nothing to rename.
            was_done = error.status_code in (404, 409, 412) and not self._file(source).exists()
            if not (was_done and self._file(target).exists()):
                raise

    def _make_folder(self, folder: str) -> None:
        """A rename makes no folders. Without the condition the folder that is there would lose its properties."""
        from azure.core import MatchConditions
        from azure.core.exceptions import ResourceExistsError

        try:
            self._folder(folder).create_directory(match_condition=MatchConditions.IfMissing)
        except ResourceExistsError as error:
            if not is_already_there(error):
                raise

    def _drop(self, draft: str) -> None:
        """As far as it can be done at once: what went wrong before is what a person has to learn."""
        try:
            with told_of(self._lake):
                self._file(draft).delete_file(retry_total=0)
        except HdictlError:
            return

    def _properties(self, whole: str) -> Any:
        return self._present(lambda: self._file(whole).get_file_properties())

    def _present(self, call: Callable[[], _Given]) -> _Given | None:
        """What the call returns, or None when there is no such path."""
        from azure.core.exceptions import HttpResponseError

        with told_of(self._lake):
            try:
                return call()
            except HttpResponseError as error:
                if error.response is not None and is_absent(error):
                    return None
                raise

    def _whole(self, *names: str) -> str:
        return "/".join((self._lake.folder, *names))

    def _file(self, whole: str) -> DataLakeFileClient:
        return self._client.get_file_client(whole)

    def _folder(self, whole: str) -> DataLakeDirectoryClient:
        return self._client.get_directory_client(whole)


def _is_folder(metadata: dict[str, str] | None) -> bool:
    return (metadata or {}).get("hdi_isfolder") == "true"


def _pieces(file: Path) -> Iterator[bytes]:
    with file.open("rb") as stream:
        while piece := stream.read(_PIECE):
            yield piece


def _digest(file: Path) -> str:
    summed = hashlib.sha256()
    for piece in _pieces(file):
        summed.update(piece)
    return summed.hexdigest()
