"""Targets: each one a choice of drivers. A new one is a new file and one line here."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from hdictl.errors import UsageError
from hdictl.stack.suggest import did_you_mean

if TYPE_CHECKING:
    from pathlib import Path

    from hdictl.ports.target import Target
    from hdictl.stack.model import Stack

_TARGETS = {"local": "LocalTarget", "docker": "DockerTarget", "azure": "AzureTarget"}


def choose(name: str, stack: Stack, file: Path, env: str | None) -> Target:
    if name not in _TARGETS:
        raise UsageError(
            f"there is no target `{name}`{did_you_mean(name, _TARGETS)}", fix=f"it is one of {', '.join(_TARGETS)}"
        )
    # Only the chosen target's drivers are loaded.
    kind = getattr(import_module(f"hdictl.targets.{name}"), _TARGETS[name])
    target: Target = kind(stack, file, env)
    return target
