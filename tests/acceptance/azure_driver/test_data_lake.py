"""A data lake that is slow, forgetful, shut or not there, and what is sent to one."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from azure.core.exceptions import ServiceRequestError

from hdictl.drivers.azure.data_lake import DataLakeFolder, data_lake
from hdictl.drivers.azure.data_lake_errors import Lake, told_of
from hdictl.drivers.azure.settings import settings
from hdictl.errors import HdictlError, NotSignedIn, PermissionMissing, StorageFailed
from tests.fakes.azure import FakeCloud

_PLACE = ("clickstream0a1b", "jobs", "hdictl/page-activity")
_ROOT = "abfs://jobs@clickstream0a1b.dfs.core.windows.net/hdictl/page-activity"
_ANYTHING = "/storage/clickstream0a1b/*"


@pytest.fixture
def lakes(fake: FakeCloud) -> FakeCloud:
    fake.lakes.make("clickstream0a1b", "jobs")
    return fake


@pytest.fixture
def lake(lakes: FakeCloud) -> Iterator[DataLakeFolder]:
    """Impatient: a test waits for nothing that it does not ask for."""
    with data_lake(*_PLACE, replace(settings(), backoff_seconds=0.001, retries=3)) as opened:
        yield opened


def _files(fake: FakeCloud) -> dict[str, bytes]:
    return fake.lakes.contents("clickstream0a1b", "jobs")


def _sent(fake: FakeCloud, method: str) -> int:
    return len([each for each in fake.requests if each.method == method])


def test_spark_s_name_for_the_folder(lake: DataLakeFolder):
    assert lake.root == _ROOT


def test_files_lie_where_spark_looks_for_them(lakes: FakeCloud, lake: DataLakeFolder):
    lake.write("_control/stop", b"now")

    assert _files(lakes) == {"hdictl/page-activity/_control/stop": b"now"}


def test_a_reader_never_sees_half_a_file(lakes: FakeCloud, lake: DataLakeFolder):
    """Whatever step fails, the old one is there, and nothing else."""
    lake.write("a", b"old")
    for method, after in (("PUT", 0), ("PATCH", 0), ("PATCH", 1), ("PUT", 1)):
        lakes.fail(method, _ANYTHING, 400, "InvalidInput", "No.", after=after)
        with pytest.raises(StorageFailed):
            lake.write("a", b"new")
        lakes.heal()

        assert _files(lakes) == {"hdictl/page-activity/a": b"old"}


def test_what_is_there_is_not_sent_again(lakes: FakeCloud, lake: DataLakeFolder, tmp_path: Path):
    jar = tmp_path / "library.jar"
    jar.write_bytes(b"x" * 1000)

    lake.upload("package/library.jar", jar)
    before = len(lakes.requests)
    lake.upload("package/library.jar", jar)

    assert [each.method for each in lakes.requests[before:]] == ["HEAD"]


def test_a_file_of_somebody_else_is_not_taken_for_ours(lakes: FakeCloud, lake: DataLakeFolder, tmp_path: Path):
    """It has the size, but does not say what is in it."""
    jar = tmp_path / "library.jar"
    jar.write_bytes(b"x" * 1000)
    there = lakes.lakes.make("clickstream0a1b", "jobs")
    there.create("hdictl/page-activity/a.jar", is_folder=False, metadata={}, only_new=True).content = b"y" * 1000

    lake.upload("a.jar", jar)

    assert lake.read("a.jar") == b"x" * 1000


def test_a_large_file_goes_by_the_piece(lakes: FakeCloud, lake: DataLakeFolder, tmp_path: Path):
    jar = tmp_path / "library.jar"
    jar.write_bytes(b"0123456789abcdef" * (17 << 16))
    lakes.fail("PATCH", _ANYTHING, drop="before", after=1)

    lake.upload("package/library.jar", jar)

    assert _files(lakes) == {"hdictl/page-activity/package/library.jar": jar.read_bytes()}
    assert _sent(lakes, "PATCH") == 4  # three pieces and the flush; one that was lost never came


@pytest.mark.parametrize("drop", ["before", "after"])
@pytest.mark.parametrize("step", range(4))
def test_any_step_of_a_write_may_be_lost(lakes: FakeCloud, lake: DataLakeFolder, step: int, drop: str):
    lake.write("a", b"old")
    method, after = (("PUT", 0), ("PATCH", 0), ("PATCH", 1), ("PUT", 1))[step]
    lakes.fail(method, _ANYTHING, drop=drop, after=after)

    lake.write("a", b"new")

    assert _files(lakes) == {"hdictl/page-activity/a": b"new"}


@pytest.mark.parametrize("drop", ["before", "after"])
def test_the_answer_to_a_move_may_be_lost(lakes: FakeCloud, lake: DataLakeFolder, drop: str):
    lake.write("checkpoints/top/offsets/0", b"v1")
    lakes.fail("PUT", f"{_ANYTHING}/aside/top", drop=drop)

    lake.move("checkpoints/top", "aside/top")

    assert _files(lakes) == {"hdictl/page-activity/aside/top/offsets/0": b"v1"}


@pytest.mark.parametrize("drop", ["before", "after"])
def test_the_answer_to_a_deletion_may_be_lost(lakes: FakeCloud, lake: DataLakeFolder, drop: str):
    for number in range(8):
        lake.write(f"a/{number}", b"x")
    lakes.fail("DELETE", _ANYTHING, drop=drop, after=2)

    lake.delete("a")

    assert _files(lakes) == {}
    assert _sent(lakes, "DELETE") >= 3  # a large folder takes several


@pytest.mark.parametrize("drop", ["before", "in body"])
def test_a_broken_connection_is_tried_again(lakes: FakeCloud, lake: DataLakeFolder, drop: str):
    lake.write("a", b"content")
    lakes.fail("GET", _ANYTHING, drop=drop)

    assert lake.read("a") == b"content"
    lakes.fail("GET", "/storage/clickstream0a1b/jobs", drop=drop)
    assert [each.name for each in lake.list("")] == ["a"]


@pytest.mark.parametrize(
    ("status", "code"), [(503, "ServerBusy"), (500, "OperationTimedOut"), (429, "TooManyRequests")]
)
def test_a_busy_lake_is_waited_for(lakes: FakeCloud, lake: DataLakeFolder, status: int, code: str):
    for method in ("PUT", "PATCH", "GET", "HEAD", "DELETE"):
        lakes.fail(method, _ANYTHING, status, code, times=2)

    lake.write("a", b"1")
    assert lake.read("a") == b"1"
    lake.move("a", "b")
    lake.delete("b")


def test_patience_ends(lakes: FakeCloud, lake: DataLakeFolder):
    lakes.fail("*", _ANYTHING, 503, "ServerBusy", times=50)

    with pytest.raises(StorageFailed) as caught:
        lake.read("a")

    assert caught.value.what == "the data lake answers with an error of its own, again and again (503 ServerBusy)"
    assert caught.value.where == _ROOT
    assert _sent(lakes, "GET") - 1 == 4  # the first is for a token


def _every_use(lake: DataLakeFolder, file: Path) -> list[HdictlError]:
    file.write_bytes(b"x")
    uses = (
        lambda: lake.read("a"),
        lambda: lake.list(""),
        lambda: lake.write("a", b""),
        lambda: lake.upload("a", file),
        lambda: lake.delete("a"),
        lambda: lake.move("a", "b"),
    )
    found = []
    for use in uses:
        with pytest.raises(HdictlError) as caught:
            use()
        assert caught.value.__cause__ is None
        assert caught.value.__context__ is None  # nothing of the SDK is left in it
        assert caught.value.where == _ROOT
        found.append(caught.value)
    return found


def test_a_role_is_missing(lakes: FakeCloud, lake: DataLakeFolder, tmp_path: Path):
    lakes.lakes.denied.add("clickstream0a1b")

    for error in _every_use(lake, tmp_path / "file"):
        assert isinstance(error, PermissionMissing)
        assert error.what == "this sign-in may not do that in the data lake (AuthorizationPermissionMismatch)"
        assert "`Storage Blob Data Contributor` on storage account clickstream0a1b" in (error.fix or "")
        assert "file system jobs" in (error.fix or "")


def test_the_firewall_keeps_us_out(lakes: FakeCloud, lake: DataLakeFolder, tmp_path: Path):
    lakes.lakes.closed.add("clickstream0a1b")

    for error in _every_use(lake, tmp_path / "file"):
        assert isinstance(error, StorageFailed)
        assert "the firewall of storage account `clickstream0a1b` keeps this machine out" in error.what
        assert "one for `dfs` and one for `blob`" in (error.fix or "")


def test_nobody_is_signed_in(lakes: FakeCloud, lake: DataLakeFolder, tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    lakes.identity.signs_in = False

    for error in _every_use(lake, tmp_path / "file"):
        assert isinstance(error, NotSignedIn)
        assert "az login" in (error.fix or "")
    assert capfd.readouterr() == ("", "")


def test_a_token_that_the_lake_does_not_take(lakes: FakeCloud, lake: DataLakeFolder, tmp_path: Path):
    """A role would not help: it is of another tenant, or has expired."""
    lake.list("")
    lakes.identity.expire_tokens()

    for error in _every_use(lake, tmp_path / "file"):
        assert isinstance(error, NotSignedIn)
        assert "InvalidAuthenticationInfo" in error.what


def test_there_is_no_such_file_system(fake: FakeCloud, tmp_path: Path):
    """That is not a folder without files: nothing can be said about the job."""
    with data_lake(*_PLACE) as lake:
        for error in _every_use(lake, tmp_path / "file"):
            assert isinstance(error, StorageFailed)
            assert error.what == "storage account `clickstream0a1b` has no file system `jobs`"
            assert "`hdictl apply`" in (error.fix or "")


def test_a_file_system_that_a_deployment_made(fake: FakeCloud):
    containers = "Microsoft.Storage/storageAccounts/blobServices/containers"
    fake.resource(fake.id("rg-clickstream", containers, "clickstream0a1b", "default", "jobs"), {})

    with data_lake(*_PLACE) as lake:
        lake.write("a", b"1")
        assert lake.read("a") == b"1"


def test_nobody_listens(lakes: FakeCloud, tmp_path: Path):
    told = replace(settings(), storage_endpoint="https://localhost:9", backoff_seconds=0, retries=1)

    with data_lake(*_PLACE, told) as lake:
        for error in _every_use(lake, tmp_path / "file"):
            assert isinstance(error, StorageFailed)
            assert error.what == "Azure cannot be reached (the connection was refused)"
            assert "storage account clickstream0a1b is there" in (error.fix or "")
            assert "private endpoints" in (error.fix or "")


def test_a_name_that_does_not_resolve():
    with pytest.raises(StorageFailed) as caught, told_of(Lake(*_PLACE)):
        raise ServiceRequestError("HTTPSConnection(host='x'): Failed to resolve 'x' ([Errno -2])")

    assert caught.value.what == "Azure cannot be reached (its name does not resolve)"
    assert "their names must resolve here" in (caught.value.fix or "")


def test_a_connection_that_breaks_again_and_again(lakes: FakeCloud, lake: DataLakeFolder, tmp_path: Path):
    lakes.fail("*", _ANYTHING, drop="before", times=500)

    for error in _every_use(lake, tmp_path / "file"):
        assert isinstance(error, StorageFailed)
        assert "try again" in (error.fix or "")


def test_a_no_that_nobody_foresaw(lakes: FakeCloud, lake: DataLakeFolder, tmp_path: Path):
    lakes.fail("*", _ANYTHING, 409, "LeaseIdMissing", "There is currently a lease on the path.\nTime:x", times=500)

    for error in _every_use(lake, tmp_path / "file"):
        assert isinstance(error, StorageFailed)
        assert "LeaseIdMissing" in error.what


def test_a_conflict_of_another_kind_is_not_taken_for_a_taken_name(lakes: FakeCloud, lake: DataLakeFolder):
    lake.write("a/file", b"1")
    lakes.fail("PUT", f"{_ANYTHING}/b/a", 409, "LeaseIdMissing", "There is a lease on the path.")

    with pytest.raises(StorageFailed, match="the data lake refuses it: There is a lease on the path"):
        lake.move("a", "b/a")


def test_certificates_are_not_where_they_are_said_to_be(lake: DataLakeFolder, monkeypatch: pytest.MonkeyPatch):
    lake.list("")  # signed in
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/nowhere/certificates.pem")

    with pytest.raises(StorageFailed, match="REQUESTS_CA_BUNDLE"):
        lake.list("")


def test_a_local_file_that_is_not_there_is_not_the_lake_s_fault(lake: DataLakeFolder, tmp_path: Path):
    with pytest.raises(FileNotFoundError):
        lake.upload("a", tmp_path / "none.jar")


def test_a_whole_file_system_is_nobody_s_folder(fake: FakeCloud):
    with pytest.raises(ValueError, match="not a file"), data_lake("clickstream0a1b", "jobs", ""):
        pass


def test_no_token_is_in_the_log(lake: DataLakeFolder, caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.DEBUG):
        lake.write("a", b"Canary-77-content!")
        lake.read("a")

    assert caplog.records
    assert "fake-token" not in caplog.text
    assert "Canary-77-content!" not in caplog.text
