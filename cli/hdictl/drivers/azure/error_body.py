"""What an error of Azure says. Errors are wrapped in errors, some of them as JSON in the text of another."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from hdictl.plan.cloud import CloudError

# Something else failed first, and this was stopped because of it: it explains nothing.
_CONSEQUENCES = {"deploymentoperationcanceled", "canceled", "operationpreempted", "operationcanceled"}
_DEEPEST = 20


def innermost(body: Any) -> CloudError | None:
    """The error that says what is wrong; None when there is none in it."""
    leaves = every_error(body)
    telling = [leaf for leaf in leaves if leaf.code.lower() not in _CONSEQUENCES]
    return next(iter(telling or leaves), None)


def every_error(body: Any) -> tuple[CloudError, ...]:
    """All errors that wrap no other."""
    return tuple(dict.fromkeys(_leaves(body, 0)))


def _leaves(body: Any, depth: int) -> Iterator[CloudError]:
    error = _unwrapped(body)
    if error is None or depth > _DEEPEST:
        return
    message = str(error.get("message") or "")
    inner = [leaf for each in error.get("details") or () for leaf in _leaves(each, depth + 1)]
    inner = inner or list(_leaves(_parsed(message), depth + 1)) or list(_leaves(error.get("innererror"), depth + 1))
    # An inner error without words is no better than the one around it.
    if inner and any(leaf.message for leaf in inner):
        yield from inner
    elif error.get("code") or message:
        yield CloudError(str(error.get("code") or ""), message.strip(), str(error.get("target") or ""))


def _unwrapped(body: Any) -> Mapping[str, Any] | None:
    """`{"error": {…}}`, `{"status": "Failed", "error": {…}}` or the error itself; keys in any case."""
    if not isinstance(body, Mapping):
        return None
    lowered = {str(key).lower(): value for key, value in body.items()}
    if isinstance(lowered.get("error"), Mapping):
        return _unwrapped(lowered["error"])
    return lowered if "code" in lowered or "message" in lowered else None


def _parsed(message: str) -> Any:
    if not message.lstrip().startswith("{"):
        return None
    try:
        return json.loads(message)
    except ValueError:
        return None
