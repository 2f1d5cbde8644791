"""What a data lake says no to, in our words.

Storage has a code for everything and puts it into a header, because the answer to HEAD has no body; its bodies are JSON
from one of its hosts and XML from the other. What the SDK raised is dropped, not chained, as in `errors`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from hdictl.drivers.azure.credential import token_refused
from hdictl.drivers.azure.errors import failure
from hdictl.errors import CloudUnreachable, HdictlError, PermissionMissing, StorageFailed

_NO_FILE_SYSTEM = {"FilesystemNotFound", "ContainerNotFound"}
# The network rules of an account answer so, whoever asks; what a role lacks is `AuthorizationPermissionMismatch`.
_FIREWALL = {"AuthorizationFailure", "PublicAccessNotPermitted", "NetworkSecurityPerimeterDenied"}
_REFUSED_SIGN_IN = {"AuthenticationFailed", "InvalidAuthenticationInfo", "NoAuthenticationInformation"}

# Reading goes to the account's `blob` host and everything else to `dfs`, so one private endpoint is not enough.
_REACH = (
    "run this from a network that its firewall allows; behind private endpoints there must be one for `dfs` and one "
    "for `blob`, and their names must resolve here"
)


@dataclass(frozen=True)
class Lake:
    """A folder in a file system of an account."""

    account: str
    file_system: str
    folder: str

    @property
    def root(self) -> str:
        return f"abfs://{self.file_system}@{self.account}.dfs.core.windows.net/{self.folder}"


class told_of:  # noqa: N801 — used like a function: `with told_of(lake):`
    """Within it, what the SDK raises comes out as one of our errors."""

    def __init__(self, lake: Lake) -> None:
        self._lake = lake

    def __enter__(self) -> None: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        from azure.core.exceptions import AzureError, DeserializationError

        # An OSError is what requests raises when it finds no certificates where REQUESTS_CA_BUNDLE says.
        if not isinstance(error, (AzureError, DeserializationError, json.JSONDecodeError, OSError)):
            return
        ours = _failure(error, self._lake)
        try:
            raise ours from None
        finally:
            ours.__context__ = None


def is_absent(error: Any) -> bool:
    """A path that is not there. Without its file system nothing can be said about a path."""
    return error.status_code == 404 and _code(error) not in _NO_FILE_SYSTEM


def is_already_there(error: Any) -> bool:
    """Other conflicts are told by the same status: a lease, a folder that is being deleted."""
    return _code(error) in ("PathAlreadyExists", "DirectoryNotEmpty")


def _failure(error: Exception, lake: Lake) -> HdictlError:
    from azure.core import exceptions as azure

    is_answer = isinstance(error, azure.HttpResponseError) and error.response is not None and "AADSTS" not in str(error)
    if is_answer:
        return _answered(error, lake)
    ours = failure(error, lake.root)
    if isinstance(error, azure.ClientAuthenticationError) or not isinstance(ours, CloudUnreachable):
        return ours
    is_network = isinstance(error, azure.ServiceRequestError)
    return StorageFailed(ours.what, where=lake.root, fix=_no_way(lake) if is_network else ours.fix)


def _answered(error: Any, lake: Lake) -> HdictlError:
    status, code = error.status_code, _code(error)
    if status == 401 or code in _REFUSED_SIGN_IN:
        return token_refused(code, lake.root)
    if code in _FIREWALL:
        return StorageFailed(
            f"the firewall of storage account `{lake.account}` keeps this machine out ({code})",
            where=lake.root,
            fix=_REACH,
        )
    if status == 403:
        return PermissionMissing(
            f"this sign-in may not do that in the data lake ({code or '403'})",
            where=lake.root,
            fix=f"ask for the role `Storage Blob Data Contributor` on storage account {lake.account} or on its file "
            f"system {lake.file_system}; an Owner of the subscription needs it too, and a new role counts after some "
            "minutes",
        )
    if code in _NO_FILE_SYSTEM:
        return StorageFailed(
            f"storage account `{lake.account}` has no file system `{lake.file_system}`",
            where=lake.root,
            fix="`hdictl apply` makes it with the cluster; see with `hdictl plan` what is missing",
        )
    if status == 429 or status >= 500:
        return StorageFailed(
            f"the data lake answers with an error of its own, again and again ({status} {code}".rstrip() + ")",
            where=lake.root,
            fix="try again in a few minutes; if it stays so, see https://azure.status.microsoft",
        )
    return StorageFailed(
        f"the data lake refuses it: {_words(error)} ({code or status})",
        where=lake.root,
        fix="search the code on https://learn.microsoft.com/rest/api/storageservices",
    )


def _no_way(lake: Lake) -> str:
    return f"see that storage account {lake.account} is there (`hdictl plan`) and HTTPS_PROXY is right; {_REACH}"


def _code(error: Any) -> str:
    return str(error.response.headers.get("x-ms-error-code") or "")


def _words(error: Any) -> str:
    """The first line; ids and times of the request follow."""
    return str(error.message).split("\n", 1)[0].strip()[:300].rstrip(".")
