"""YAML as a person would write it: in order, no anchors, short settings on one line."""

from __future__ import annotations

from typing import Any

import yaml


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:
        return True


def to_yaml(value: dict[str, Any]) -> str:
    text: str = yaml.dump(
        value, Dumper=_Dumper, sort_keys=False, default_flow_style=None, allow_unicode=True, width=120
    )
    return text
