"""The two streams: results go to stdout, everything that is said along the way to stderr.

Colours are off when the stream is no terminal, or when NO_COLOR is set; rich sees to both.
"""

from __future__ import annotations

import json
from typing import Any

from rich.console import Console
from rich.markup import escape

# A cluster may be called `a`: `job:a:` is not the name of an emoji here.
out = Console(highlight=False, soft_wrap=True, emoji=False)
err = Console(stderr=True, highlight=False, soft_wrap=True, emoji=False)


def print_json(command: str, body: dict[str, Any], *, version: int = 1) -> None:
    """The envelope of every `--json`: which command, which version of its shape, then the value."""
    text = json.dumps({"command": command, "version": version, **body}, ensure_ascii=False, indent=2, default=str)
    out.file.write(text + "\n")
    out.file.flush()


def say(message: str) -> None:
    err.print(escape(message))


def print_text(text: str) -> None:
    """Plain text as it is: no markup, no wrapping."""
    out.file.write(text if text.endswith("\n") else text + "\n")
    out.file.flush()


def is_interactive() -> bool:
    import sys

    return sys.stdin.isatty() and err.is_terminal


def print_json_line(value: dict[str, Any]) -> None:
    """One record of a stream: JSON lines."""
    out.file.write(json.dumps(value, ensure_ascii=False, default=str) + "\n")
    out.file.flush()
