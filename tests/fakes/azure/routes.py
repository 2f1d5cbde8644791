"""From method and path to a handler. Paths are compared without regard to case, as ARM does."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.fakes.azure.messages import Answer, Request

Handler = Callable[[Request], Answer]

SUBSCRIPTION = "/subscriptions/{subscription}"
GROUP = SUBSCRIPTION + "/resourceGroups/{group}"
ANY_RESOURCE = GROUP + "/providers/{rest:path}"


@dataclass
class Routes:
    """The first that fits is taken: what is registered first goes first."""

    _known: list[tuple[str, re.Pattern[str], Handler]] = field(default_factory=list)

    def add(self, method: str, template: str, handler: Handler) -> None:
        self._known.append((method, _pattern(template), handler))

    def find(self, request: Request) -> tuple[Handler, Request] | None:
        for method, pattern, handler in self._known:
            match = pattern.fullmatch(request.path.rstrip("/")) if method == request.method else None
            if match is not None:
                return handler, request.with_captured(match.groupdict())
        return None


def _pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"(\{[^}]+\})", template)
    text = "".join(_capture(part) if part.startswith("{") else re.escape(part) for part in parts)
    return re.compile(text, re.IGNORECASE)


def _capture(part: str) -> str:
    name, _, how = part.strip("{}").partition(":")
    return f"(?P<{name}>.+)" if how == "path" else f"(?P<{name}>[^/]+)"
