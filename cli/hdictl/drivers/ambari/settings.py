"""How configurations are written: whole, under a tag of their own, and never over somebody else's work."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from hdictl.errors import AmbariFailed
from hdictl.ports.ambari import ConfigEdit, Configuration


def new_tag() -> str:
    return f"version{time.time_ns() // 1_000_000}"


def written(edits: Sequence[ConfigEdit], tag: str) -> tuple[Configuration, ...]:
    return tuple(
        Configuration(edit.seen.type, tag, edit.after, _attributes_of(edit.seen.attributes, edit.after))
        for edit in edits
    )


def body(configuration: Configuration) -> dict[str, Any]:
    """Passwords come as `SECRET:…` references, and Ambari puts the password back where it gets one."""
    found: dict[str, Any] = {
        "type": configuration.type,
        "tag": configuration.tag,
        "properties": dict(configuration.properties),
        "service_config_version_note": "changed by hdictl",
    }
    if configuration.attributes:
        found["properties_attributes"] = {name: dict(values) for name, values in configuration.attributes.items()}
    return found


def require_unmoved(edits: Sequence[ConfigEdit], tags: Mapping[str, str], where: str) -> None:
    for edit in edits:
        now = tags.get(edit.seen.type)
        if now != edit.seen.tag:
            raise AmbariFailed(
                f"somebody changed `{edit.seen.type}` meanwhile: it was {edit.seen.tag}, now it is {now}",
                where=where,
                fix="nothing was written; run this again to see what would change now",
            )


def require_in_force(configurations: Sequence[Configuration], tags: Mapping[str, str], where: str) -> None:
    for configuration in configurations:
        now = tags.get(configuration.type)
        if now != configuration.tag:
            raise AmbariFailed(
                f"`{configuration.type}` was written as {configuration.tag}, yet {now} is in force",
                where=where,
                fix="somebody wrote at the same moment; compare the versions on Ambari's Configs page",
            )


def _attributes_of(
    attributes: Mapping[str, Mapping[str, str]], properties: Mapping[str, str]
) -> dict[str, dict[str, str]]:
    """What is said about properties, without those that are gone."""
    kept = {
        name: {key: value for key, value in values.items() if key in properties} for name, values in attributes.items()
    }
    return {name: values for name, values in kept.items() if values}
