"""Data lakes: the REST API of ADLS Gen2, as far as azure-storage-file-datalake uses it.

The SDK asks at two hosts of an account. Lists and changes go to `dfs`, which words its errors in JSON; reading goes to
`blob`, which does so in XML and has names of its own for some of them. Here both are one address, and who answers is
known by the request. Every refusal has its code in `x-ms-error-code` too: the answer to HEAD has no body.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from email.utils import formatdate
from urllib.parse import unquote
from xml.sax.saxutils import escape

from tests.fakes.azure.identity import Identity
from tests.fakes.azure.lake_files import Entry, LakeFiles
from tests.fakes.azure.messages import Answer, Refused, Request
from tests.fakes.azure.names import TENANT_ID
from tests.fakes.azure.routes import Handler, Routes
from tests.fakes.azure.world import World

PATH = "/storage"
_FILE_SYSTEM = PATH + "/{account}/{file_system}"
_CONTAINERS = "Microsoft.Storage/storageAccounts/blobServices/containers"
_AUDIENCE = "https://storage.azure.com"
_BLOB_CODES = {"PathNotFound": "BlobNotFound", "FilesystemNotFound": "ContainerNotFound"}


class DataLakes:
    def __init__(self, world: World, identity: Identity) -> None:
        self._world = world
        self._identity = identity
        self._files: dict[tuple[str, str], LakeFiles] = {}
        self.page_size = 3  # Azure's pages hold 5000 paths; of folders that are deleted, as many are looked through
        self.denied: set[str] = set()  # accounts on which the caller has no role for data
        self.closed: set[str] = set()  # accounts whose firewall does not know the caller's address

    def register(self, routes: Routes) -> None:
        anything = _FILE_SYSTEM + "/{path:path}"
        routes.add("GET", _FILE_SYSTEM, self._served(self._list))
        routes.add("HEAD", _FILE_SYSTEM, self._served(self._describe))
        routes.add("PUT", anything, self._served(self._create))
        routes.add("PATCH", anything, self._served(self._change))
        routes.add("DELETE", anything, self._served(self._delete))
        routes.add("GET", anything, self._served(self._read, is_blob=True))
        routes.add("HEAD", anything, self._served(self._properties, is_blob=True))

    def make(self, account: str, file_system: str) -> LakeFiles:
        """A file system that somebody else made."""
        return self._files.setdefault((account, file_system), LakeFiles())

    def contents(self, account: str, file_system: str) -> dict[str, bytes]:
        """Path → content, of every file."""
        entries = self._find(account, file_system).entries
        return {path: each.content for path, each in sorted(entries.items()) if not each.is_folder}

    def texts(self) -> dict[str, str]:
        """All files that a person could read, for who looks for secrets in them."""
        return {
            f"{account}/{file_system}/{path}": entry.content[:100_000].decode(errors="replace")
            for (account, file_system), files in self._files.items()
            for path, entry in files.entries.items()
            if not entry.is_folder and not path.endswith(".jar")
        }

    def _served(self, handler: Handler, *, is_blob: bool = False) -> Handler:
        def serve(request: Request) -> Answer:
            try:
                self._admit(request)
                return handler(request)
            except Refused as refused:
                return _refusal(refused, is_blob=is_blob)

        return serve

    def _admit(self, request: Request) -> None:
        account = request["account"]
        if account in self.closed:
            raise Refused(403, "AuthorizationFailure", "This request is not authorized to perform this operation.")
        if self._identity.resource_of(request) != _AUDIENCE:
            # The SDK reads this challenge, and asks once more with a token of the tenant that it names.
            where = f"https://login.microsoftonline.com/{TENANT_ID}/oauth2/authorize"
            challenge = {"WWW-Authenticate": f"Bearer authorization_uri={where} resource_id={_AUDIENCE}"}
            message = "Server failed to authenticate the request. Please refer to the information in the header."
            raise Refused(401, "InvalidAuthenticationInfo", message, headers=challenge)
        if account in self.denied:
            message = "This request is not authorized to perform this operation using this permission."
            raise Refused(403, "AuthorizationPermissionMismatch", message)

    def _find(self, account: str, file_system: str) -> LakeFiles:
        """One that a deployment made comes to be when it is first asked for."""
        made = any(each.id.names == (account, "default", file_system) for each in self._world.of_type(_CONTAINERS))
        if (account, file_system) not in self._files and not made:
            raise Refused(404, "FilesystemNotFound", "The specified filesystem does not exist.")
        return self.make(account, file_system)

    def _of(self, request: Request) -> LakeFiles:
        return self._find(request["account"], request["file_system"])

    def _describe(self, request: Request) -> Answer:
        self._of(request)
        return Answer(200, None, {"x-ms-namespace-enabled": "true"})

    def _list(self, request: Request) -> Answer:
        files = self._of(request)
        if request.query.get("restype") == "container":
            return self._describe(request)
        folder = request.query.get("directory", "").strip("/")
        if folder:
            files.find(folder)
        found = files.below(folder) if request.query.get("recursive") == "true" else files.children(folder)
        page, more = self._page(request, found)
        return Answer(200, {"paths": [_shown(path, files.find(path)) for path in page]}, more)

    def _create(self, request: Request) -> Answer:
        files = self._of(request)
        only_new = request.headers.get("if-none-match") == "*"
        source = request.headers.get("x-ms-rename-source")
        if source is not None:
            _, file_system, path = unquote(source).split("/", 2)
            assert file_system == request["file_system"], "renaming into another file system is not faked"
            return Answer(201, None, _stamps(files.rename(path, request["path"], only_new=only_new)))
        is_folder = request.query["resource"] == "directory"
        metadata = _properties(request.headers.get("x-ms-properties", ""))
        made = files.create(request["path"], is_folder=is_folder, metadata=metadata, only_new=only_new)
        return Answer(201, None, _stamps(made))

    def _change(self, request: Request) -> Answer:
        files, position = self._of(request), int(request.query["position"])
        _hold_to_condition(request, files.find(request["path"]))
        if request.query["action"] == "append":
            files.append(request["path"], position, request.content)
            return Answer(202)
        return Answer(200, None, _stamps(files.flush(request["path"], position)))

    def _read(self, request: Request) -> Answer:
        found = self._of(request).find(request["path"])
        _hold_to_condition(request, found)
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", request.headers.get("x-ms-range", ""))
        if asked is None:
            return Answer(200, found.content, _described(found))
        start, end = int(asked[1]), int(asked[2] or len(found.content))
        if start >= len(found.content):  # so too of a file without content: the SDK then asks for the whole
            message = "The range specified is invalid for the current size of the resource."
            raise Refused(416, "InvalidRange", message)
        part = found.content[start : end + 1]
        place = {"Content-Range": f"bytes {start}-{start + len(part) - 1}/{len(found.content)}"}
        return Answer(206, part, _described(found) | place)

    def _properties(self, request: Request) -> Answer:
        found = self._of(request).find(request["path"])
        return Answer(200, None, _described(found) | {"Content-Length": str(len(found.content))})

    def _delete(self, request: Request) -> Answer:
        files, path = self._of(request), request["path"]
        files.find(path)
        if request.query.get("paginated") == "true":
            _, more = self._page(request, files.below(path))
            if more:  # permissions are looked through in pages; the last request deletes everything at once
                return Answer(200, None, more)
        files.remove(path, recursive=request.query.get("recursive") == "true")
        return Answer(200)

    def _page(self, request: Request, found: list[str]) -> tuple[list[str], dict[str, str]]:
        start = int(base64.b64decode(request.query.get("continuation", "")) or b"0")
        end = start + min(self.page_size, int(request.query.get("maxResults", self.page_size)))
        more = {"x-ms-continuation": base64.b64encode(str(end).encode()).decode()} if end < len(found) else {}
        return found[start:end], more


def _refusal(refused: Refused, *, is_blob: bool) -> Answer:
    code = _BLOB_CODES.get(refused.code, refused.code) if is_blob else refused.code
    headers = {**refused.headers, "x-ms-error-code": code}
    message = f"{refused.message}\nRequestId:00000000-0000-0000-0000-000000000000\nTime:2026-11-16T10:00:00.0000000Z"
    if not is_blob:
        return Answer(refused.status, {"error": {"code": code, "message": message}}, headers)
    text = (
        f'<?xml version="1.0" encoding="utf-8"?><Error><Code>{code}</Code><Message>{escape(message)}</Message></Error>'
    )
    return Answer(refused.status, text.encode(), headers | {"Content-Type": "application/xml"})


def _hold_to_condition(request: Request, found: Entry) -> None:
    if request.headers.get("if-match", found.etag) != found.etag:
        raise Refused(412, "ConditionNotMet", "The condition specified using HTTP conditional header(s) is not met.")


def _stamps(entry: Entry) -> dict[str, str]:
    return {"ETag": entry.etag, "Last-Modified": formatdate(entry.modified, usegmt=True)}


def _described(entry: Entry) -> dict[str, str]:
    metadata = {**entry.metadata, **({"hdi_isfolder": "true"} if entry.is_folder else {})}
    return {
        **_stamps(entry),
        "Content-Type": "application/octet-stream",
        "x-ms-blob-type": "BlockBlob",
        "x-ms-resource-type": "directory" if entry.is_folder else "file",
        **{f"x-ms-meta-{name}": value for name, value in metadata.items()},
    }


def _shown(path: str, entry: Entry) -> dict[str, str]:
    """Everything is a text, and a file does not say that it is no directory."""
    kind = {"isDirectory": "true"} if entry.is_folder else {}
    size = {"contentLength": str(len(entry.content))}
    stamps = {"etag": entry.etag, "lastModified": formatdate(entry.modified, usegmt=True)}
    return {"name": path, **kind, **size, **stamps, "owner": "$superuser", "group": "$superuser"}


def _properties(header: str) -> Mapping[str, str]:
    """`name=base64,name=base64`, as x-ms-properties has it."""
    pairs = (each.partition("=") for each in header.split(",") if each)
    return {name: base64.b64decode(value).decode() for name, _, value in pairs}
