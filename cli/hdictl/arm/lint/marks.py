"""What only the deployment knows, as a mark inside the text that it is a part of.

`concat('st', uniqueString(…))` becomes `st‹uniqueString(…)›`: names and ids can still be compared and taken apart, and
a rule asks `is_known` before it judges. A mark remembers whether it is a secret, through every function that the secret
is passed to. The signs are from Unicode's private area, so no template holds them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_OPEN, _CLOSE, _SECRET, _SLASH = "\ue000", "\ue001", "\ue002", "\ue003"
_READABLE = str.maketrans({_OPEN: "", _CLOSE: "", _SECRET: "", _SLASH: "/"})


def unknown(text: str, *, is_secret: bool = False) -> str:
    """A slash inside a mark is no slash of the id that the mark is a part of."""
    return f"{_OPEN}{_SECRET if is_secret else ''}{text.replace('/', _SLASH)}{_CLOSE}"


def is_known(value: Any) -> bool:
    return not any(_OPEN in text for text in _texts(value))


def is_unknown_whole(value: Any) -> bool:
    """Nothing at all is known of it, not even whether it is text."""
    return isinstance(value, str) and value.startswith(_OPEN) and value.endswith(_CLOSE)


def holds_secret(value: Any) -> bool:
    return any(_SECRET in text for text in _texts(value))


def readable(value: Any) -> str:
    return str(value).translate(_READABLE)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key)
            yield from _texts(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)
