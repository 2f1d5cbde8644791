"""Requests and answers against the operations of the specification."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.fakes.azure.contract.documents import Node, read, specification
from tests.fakes.azure.contract.schema import Side, differences
from tests.fakes.azure.messages import Request

# Links that the service makes up for itself; clients follow them, the specification does not list them all.
_LINK = re.compile(r"/(operationresults|operationstatuses|azureasyncoperations)/", re.IGNORECASE)
_TEMPLATE_ONLY = {"type", "name", "apiVersion", "dependsOn", "scope", "condition", "comments", "metadata"}
# Properties that came after the specification at hand, and the api-version that brought each.
_LATER = {"restAuthEntraUsers": "2025-01-15-preview", "publicIpTag": "2024-08-01-preview"}


@dataclass(frozen=True)
class Operation:
    template: str
    pattern: re.Pattern[str]
    file: Path
    described: Mapping[str, Any]
    shared: tuple[Mapping[str, Any], ...] = ()  # parameters of the whole path

    @property
    def id(self) -> str:
        return str(self.described.get("operationId"))

    def parameters(self) -> Iterator[Mapping[str, Any]]:
        for each in (*self.shared, *(self.described.get("parameters") or ())):
            yield Node(self.file, each).target().value

    def body(self) -> Node | None:
        for each in (*self.shared, *(self.described.get("parameters") or ())):
            found = Node(self.file, each).target()
            if found.value.get("in") == "body":
                return found
        return None


class Contract:
    """`None` for a namespace that the specification at hand does not have: then nothing is said."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def check(self, request: Request) -> list[str]:
        """What is wrong with a request."""
        if _LINK.search(request.path):
            return []
        namespace = _namespace(request.path)
        if not self._has(request.path, namespace):
            return []
        operation = self._operation(request.method, request.path, namespace, request.api_version)
        if operation is None:
            return [f"there is no such operation in {namespace}"]
        return [each for each in _request_differences(operation, request) if not _came_later(each, request.api_version)]

    def check_resource(self, id: str, api_version: str, body: Mapping[str, Any]) -> list[str]:
        """A resource of a template, as if it were put by itself."""
        namespace = _namespace(id)
        if not self._has(id, namespace):
            return []
        operation = self._operation("PUT", id, namespace, api_version)
        schema = operation.body() if operation is not None else None
        if operation is None or schema is None:
            return [f"{id}: its type is not known"]
        sent = {key: value for key, value in body.items() if key not in _TEMPLATE_ONLY}
        wanted = Node(schema.file, schema.value["schema"])
        found = differences(sent, wanted, Side.REQUEST, id.rpartition("/")[2])
        return [each for each in found if not _came_later(each, api_version)]

    def check_response(self, request: Request, status: int, body: Any) -> list[str]:
        namespace = _namespace(request.path)
        if _LINK.search(request.path) or not _versions(self._folder, namespace):
            return []
        operation = self._operation(request.method, request.path, namespace, request.api_version)
        if operation is None:
            return []  # the request was not allowed in the first place
        told = operation.described["responses"].get(str(status))
        if told is None:
            return [f"{operation.id} does not answer {status}"]
        schema = Node(operation.file, told).get("schema")
        return [] if schema is None else list(differences(body, schema, Side.RESPONSE))

    def _has(self, path: str, namespace: str) -> bool:
        """Whether the type is described at all: Microsoft.Network is many documents, and private DNS is in none of
        those at hand."""
        versions = _versions(self._folder, namespace)
        type = re.search(rf"/providers/{re.escape(namespace)}/([^/]+)", path, re.IGNORECASE)
        if not versions or type is None:
            return bool(versions)
        return type[1].lower() in _types(versions[max(versions)])

    def _operation(self, method: str, path: str, namespace: str, api_version: str) -> Operation | None:
        """Of the asked version, or of the newest that is at hand."""
        versions = _versions(self._folder, namespace)
        folder = versions.get(api_version) or versions[max(versions)]
        fitting = [
            each for each in _operations(folder).get(method.lower(), ()) if each.pattern.fullmatch(path.rstrip("/"))
        ]
        # A fixed word fits better than a name: …/extensions/azureMonitor before …/extensions/{extensionName}.
        return min(fitting, key=lambda each: each.template.count("{"), default=None)


def contract() -> Contract | None:
    folder = specification()
    return Contract(folder) if folder is not None else None


def _request_differences(operation: Operation, request: Request) -> Iterator[str]:
    match = operation.pattern.fullmatch(request.path.rstrip("/"))
    assert match is not None
    for parameter in operation.parameters():
        name, place = str(parameter.get("name")), parameter.get("in")
        if place == "query" and parameter.get("required") and name not in request.query:
            yield f"{operation.id}: the query parameter `{name}` is required"
        allowed = [str(each).lower() for each in parameter.get("enum") or ()]
        captured = match.groupdict().get(_group_name(name)) if place == "path" else None
        if allowed and captured is not None and captured.lower() not in allowed:
            yield f"{operation.id}: `{captured}` is none of {', '.join(allowed)}"
    yield from _body_differences(operation, request.body)


def _body_differences(operation: Operation, body: Any) -> Iterator[str]:
    wanted = operation.body()
    if wanted is None:
        if body not in (None, {}):
            yield f"{operation.id}: takes no body"
        return
    if body is None:
        if wanted.value.get("required"):
            yield f"{operation.id}: the body is missing"
        return
    for each in differences(body, Node(wanted.file, wanted.value["schema"]), Side.REQUEST):
        yield f"{operation.id}: {each}"


def _came_later(difference: str, api_version: str) -> bool:
    return any(difference.endswith(f".{name} is not known") and api_version >= since for name, since in _LATER.items())


def _namespace(path: str) -> str:
    match = re.search(r".*/providers/([^/]+)", path, re.IGNORECASE)
    return match[1] if match else "Microsoft.Resources"


@cache
def _versions(folder: Path, namespace: str) -> Mapping[str, Path]:
    found = {}
    for place in folder.glob("*/resource-manager/*"):
        if place.name.lower() == namespace.lower():
            found.update({each.name: each for each in place.glob("*/*") if each.is_dir()})
    return found


@cache
def _operations(folder: Path) -> Mapping[str, tuple[Operation, ...]]:
    """By method."""
    found: dict[str, list[Operation]] = {}
    for file in sorted(folder.glob("*.json")):
        for template, methods in (read(file).get("paths") or {}).items():
            if template.startswith(("/{resourceId}", "/{scope}")):
                continue
            shared = tuple(methods.get("parameters") or ())
            for method, described in methods.items():
                if method != "parameters":
                    operation = Operation(template, _pattern(template), file, described, shared)
                    found.setdefault(method, []).append(operation)
    return {method: tuple(each) for method, each in found.items()}


@cache
def _types(folder: Path) -> frozenset[str]:
    found = set()
    for operations in _operations(folder).values():
        for each in operations:
            match = re.search(r".*/providers/[^/]+/([^/{]+)", each.template)
            found |= {match[1].lower()} if match else set()
    return frozenset(found)


def _pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"(\{[^}]+\})", template.rstrip("/"))
    text = "".join(
        f"(?P<{_group_name(part.strip('{}'))}>[^/]+)" if part.startswith("{") else re.escape(part) for part in parts
    )
    return re.compile(text, re.IGNORECASE)


def _group_name(name: str) -> str:
    return re.sub(r"\W", "_", name)
