"""Stacks from text, for tests."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from pathlib import Path

from hdictl.stack.check import check
from hdictl.stack.finding import Finding
from hdictl.stack.load import Loaded, load

TODAY = datetime.date(2026, 6, 1)


def loaded(
    folder: Path, text: str, *, target: str = "local", environ: Mapping[str, str] | None = None, env: str | None = None
) -> Loaded:
    file = folder / "stack.yaml"
    file.write_text(text, encoding="utf-8")
    return load(file, env=env, target=target, environ=environ or {})


def checked(
    folder: Path, text: str, *, target: str = "local", environ: Mapping[str, str] | None = None, env: str | None = None
) -> tuple[Finding, ...]:
    stack = loaded(folder, text, target=target, environ=environ, env=env)
    return check(stack, today=TODAY, environ=environ or {}, target=target)
