"""What a person writes on the command line, as changes to a configuration."""

from __future__ import annotations

from collections.abc import Sequence

from hdictl.errors import UsageError
from hdictl.ports.ambari import is_secret


def parsed_changes(settings: Sequence[str], unset: Sequence[str]) -> dict[str, str | None]:
    """KEY=VALUE, and keys to take away."""
    changes: dict[str, str | None] = {}
    for setting in settings:
        key, mark, value = setting.partition("=")
        if not mark or not key:
            raise UsageError(f"`{setting}` is not a setting", fix="write it as KEY=VALUE, such as num.io.threads=16")
        if is_secret(key):
            raise UsageError(
                f"`{key}` is a secret, and everybody on this machine can read the arguments of a command",
                fix="set it on Ambari's Configs page",
            )
        if changes.setdefault(key, value) != value:
            raise UsageError(f"`{key}` is given twice, with different values", fix="give it once")
    for key in unset:
        if key in changes:
            raise UsageError(f"`{key}` is both set and unset", fix="choose one")
        changes[key] = None
    return changes
