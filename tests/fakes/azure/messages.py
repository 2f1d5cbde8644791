"""A request as handlers see it, and what they answer or refuse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]  # lower-case names
    body: Any = None
    captured: Mapping[str, str] = field(default_factory=dict)  # what the route's template names
    content: bytes = b""  # what came, when it is a file and not JSON

    def __getitem__(self, name: str) -> str:
        return self.captured[name]

    def with_captured(self, captured: Mapping[str, str]) -> Request:
        return replace(self, captured=captured)

    @property
    def api_version(self) -> str:
        return self.query.get("api-version", "")


@dataclass(frozen=True)
class Answer:
    status: int = 200
    body: Any = None  # JSON, or the bytes of a file
    headers: Mapping[str, str] = field(default_factory=dict)


class Refused(Exception):
    """An error as Azure words it."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        target: str | None = None,
        details: tuple[Mapping[str, Any], ...] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.target = target
        self.details = details
        self.headers = headers or {}

    @property
    def error(self) -> dict[str, Any]:
        found: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.target:
            found["target"] = self.target
        if self.details:
            found["details"] = list(self.details)
        return found

    @property
    def answer(self) -> Answer:
        return Answer(self.status, {"error": self.error}, self.headers)


def not_found(id: str) -> Refused:
    *_, kind, name = id.rstrip("/").split("/")
    return Refused(404, "ResourceNotFound", f"The Resource '{kind}/{name}' under '{id}' was not found.")
