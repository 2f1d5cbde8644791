"""The fake's data lakes keep to what the real ones do, beyond what our own driver asks of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from azure.core import MatchConditions
from azure.core.exceptions import HttpResponseError, ResourceExistsError, ResourceModifiedError, ResourceNotFoundError
from azure.identity import DefaultAzureCredential
from azure.storage.filedatalake import FileSystemClient

from tests.fakes.azure import FakeCloud


@pytest.fixture
def files(cloud: FakeCloud) -> Iterator[FileSystemClient]:
    cloud.lakes.make("acct", "jobs")
    address = cloud.environ()["HDICTL_AZURE_STORAGE_ENDPOINT"].replace("{account}", "acct")
    with FileSystemClient(address, "jobs", DefaultAzureCredential(), retry_total=0) as client:
        yield client


def test_a_file_system_is_there(files: FileSystemClient):
    assert files.exists()


def test_another_one_is_not(files: FileSystemClient):
    other = FileSystemClient(files.url.rpartition("/")[0], "other", files.credential, retry_total=0)

    assert not other.exists()
    with pytest.raises(ResourceNotFoundError) as caught:
        list(other.get_paths())
    assert caught.value.error_code == "FilesystemNotFound"


def test_the_sdk_s_own_upload(files: FileSystemClient):
    file = files.get_file_client("a/b")
    file.upload_data(b"0123456789", overwrite=True, metadata={"who": "me"})

    assert file.download_file(2, 3).readall() == b"234"
    assert file.get_file_properties().metadata == {"who": "me"}
    assert [(each.name, each.is_directory) for each in files.get_paths()] == [("a", True), ("a/b", False)]
    assert len(list(files.get_paths(max_results=1))) == 2


def test_nothing_is_seen_before_it_is_flushed(files: FileSystemClient):
    file = files.get_file_client("a")
    file.create_file()
    file.append_data(b"0123", 0)

    assert file.download_file().readall() == b""
    with pytest.raises(HttpResponseError) as caught:
        file.flush_data(5)
    assert caught.value.status_code == 400
    file.flush_data(4)
    assert file.download_file().readall() == b"0123"


def test_conditions_hold(files: FileSystemClient):
    file = files.get_file_client("a")
    first = file.create_file()
    file.append_data(b"0", 0)
    file.flush_data(1, etag=first["etag"], match_condition=MatchConditions.IfNotModified)

    with pytest.raises(ResourceModifiedError):
        file.flush_data(1, etag=first["etag"], match_condition=MatchConditions.IfNotModified)
    with pytest.raises(ResourceExistsError):
        file.create_file(match_condition=MatchConditions.IfMissing)


def test_a_rename_makes_no_folders(files: FileSystemClient):
    file = files.get_file_client("a")
    file.create_file()

    with pytest.raises(ResourceNotFoundError) as caught:
        file.rename_file("jobs/folder/a")
    assert caught.value.error_code == "RenameDestinationParentPathNotFound"


def test_a_rename_goes_over_a_file_but_not_over_a_full_folder(files: FileSystemClient):
    for path in ("a", "b", "folder/file"):
        files.get_file_client(path).upload_data(path.encode(), overwrite=True)

    files.get_file_client("a").rename_file("jobs/b")
    assert files.get_file_client("b").download_file().readall() == b"a"
    with pytest.raises(ResourceExistsError) as caught:
        files.get_file_client("b").rename_file("jobs/folder")
    assert caught.value.error_code == "DirectoryNotEmpty"


def test_a_file_is_no_folder(files: FileSystemClient):
    files.get_file_client("a").create_file()

    with pytest.raises(ResourceExistsError):
        files.get_file_client("a/b").create_file()
    with pytest.raises(ResourceExistsError):
        files.get_directory_client("a").create_directory()
