"""What the parts of the driver have in common."""

from __future__ import annotations

import json
from typing import IO, Any, cast

from hdictl.drivers.azure.clients import Clients
from hdictl.drivers.azure.secrets import SecretText


class Subject:
    """A part of `AzureCloud` that deals with one subject."""

    def __init__(self, clients: Clients, stack: str) -> None:
        self._clients = clients
        self._stack = stack

    @property
    def _group(self) -> str:
        return self._clients.group


def as_sent(response: Any, _model: Any, _headers: Any) -> Any:
    """The SDK's `cls` argument: the service's own JSON in place of a model."""
    from azure.core.exceptions import DecodeError

    body = response.http_response.json()
    if not isinstance(body, dict):
        raise DecodeError("a JSON object was expected", response=response.http_response)
    return body


def to_json(body: Any) -> IO[bytes]:
    """A request's body. Secrets are revealed here and nowhere before."""
    # The SDK sends bytes as they are, and can repeat them; that it takes them its types do not say.
    return cast("IO[bytes]", json.dumps(body, default=_revealed).encode())


def _revealed(value: Any) -> str:
    if isinstance(value, SecretText):
        return value.reveal()
    raise TypeError(f"{type(value).__name__} is not JSON")
