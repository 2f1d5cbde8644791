"""How Livy reads the body of POST /batches; the words are those of the real one, as measured."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

# In the order in which the real one lists them.
FIELDS = (
    *("executorCores", "className", "conf", "driverMemory", "name", "driverCores", "pyFiles", "archives"),
    *("executorMemory", "files", "jars", "proxyUser", "numExecutors", "file", "args", "queue"),
)
_LISTS = ("args", "jars", "pyFiles", "files", "archives")
_NUMBERS = ("driverCores", "executorCores", "numExecutors")
_CLASS = "org.apache.livy.server.batch.CreateBatchRequest"
_SOURCE = "\n at [Source: (org.eclipse.jetty.server.HttpInputOverHTTP); line: 1, column: 1]"


class Unreadable(Exception):
    """Jackson's words; nothing was registered."""


class Uncast(Exception):
    """It was read, and turned out wrong while the batch was started: a phantom stays."""


def read(content: bytes) -> Mapping[str, Any]:
    if not content:
        raise Unreadable(f"No content to map due to end-of-input{_SOURCE}")
    try:
        body = json.loads(content)
    except ValueError:
        raise Unreadable(f"Unexpected character{_SOURCE}") from None
    for key in body:
        if key not in FIELDS:
            known = ", ".join(f'"{each}"' for each in FIELDS)
            raise Unreadable(
                f'Unrecognized field "{key}" (class {_CLASS}), not marked as ignorable ({len(FIELDS)} known '
                f'properties: {known}]){_SOURCE} (through reference chain: {_CLASS}["{key}"])'
            )
    for key in _LISTS:
        if not isinstance(body.get(key, []), list):
            raise Unreadable(
                "Cannot deserialize instance of `scala.collection.immutable.List` out of VALUE_STRING token"
                f'{_SOURCE} (through reference chain: {_CLASS}["{key}"])'
            )
    return dict(body)


def require_cast(body: Mapping[str, Any]) -> None:
    """Scala's Option[Int] holds anything until it is used, which is after the batch was registered."""
    for key in _NUMBERS:
        if isinstance(body.get(key), str):
            raise Uncast(
                "java.lang.ClassCastException: class java.lang.String cannot be cast to class java.lang.Integer "
                "(java.lang.String and java.lang.Integer are in module java.base of loader 'bootstrap')"
            )
