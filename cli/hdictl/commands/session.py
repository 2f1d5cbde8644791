"""From the shared options to a checked stack and its target."""

from __future__ import annotations

import datetime
import os
from dataclasses import dataclass
from pathlib import Path

from hdictl import targets
from hdictl.errors import NotConfirmed, StackInvalid
from hdictl.ports.target import Target
from hdictl.stack.check import check
from hdictl.stack.finding import Finding, blocking
from hdictl.stack.load import Loaded, load
from hdictl.stack.model import Stack


@dataclass(frozen=True)
class Session:
    stack: Stack
    target: Target
    file: Path
    env: str | None


def open_stack(file: Path, env: str | None, target: str) -> Session:
    """Load and check; an error in the stack stops every command in the same way."""
    loaded, findings = checked(file, env, target)
    errors = blocking(findings)
    if errors or loaded.stack is None:
        raise _invalid(errors)
    return Session(loaded.stack, targets.choose(target, loaded.stack, file, env), file, env)


def open_named(file: Path, env: str | None, target: str) -> Session:
    """For commands that look at what runs, or end it: which file it is says enough, whatever is wrong inside."""
    stack = load(file, env=env, target=target, environ=os.environ).stack or Stack(stack="unreadable")
    return Session(stack, targets.choose(target, stack, file, env), file, env)


def _invalid(errors: tuple[Finding, ...]) -> StackInvalid:
    count = len(errors)
    return StackInvalid(
        f"the stack does not hold: {count} error{'' if count == 1 else 's'}",
        findings=errors,
        fix="mend them; `hdictl check` shows all, with warnings",
    )


def checked(file: Path, env: str | None, target: str) -> tuple[Loaded, tuple[Finding, ...]]:
    loaded = load(file, env=env, target=target, environ=os.environ)
    today = datetime.datetime.now(tz=datetime.timezone.utc).date()
    return loaded, check(loaded, today=today, environ=os.environ, target=target)


def confirm(question: str, *, yes: bool) -> None:
    """Ask on a terminal; elsewhere say which flag is missing."""
    from hdictl.show.terminal import is_interactive

    if yes:
        return
    if not is_interactive():
        raise NotConfirmed(question, fix="there is no terminal to ask on: give --yes")
    import typer

    if not typer.confirm(f"{question}\nGo on?", default=False, err=True):
        raise NotConfirmed("not confirmed; nothing was touched")
