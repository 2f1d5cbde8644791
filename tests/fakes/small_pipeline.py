"""A pipeline that is quick to start: orders come in, and go out once each, by their ids."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

SCHEMA = {
    "type": "object",
    "properties": {"id": {"type": "string"}, "amount": {"type": "integer"}},
    "required": ["id", "amount"],
}
PIPELINE: dict[str, Any] = {
    "name": "orders",
    "parameters": {"factor": 1},
    "sources": {"orders": {"format": "json", "schema": "order.json", "dead_letters": "dead"}},
    "flows": {"passed": {"transform": "passed.sql", "sink": "out"}},
    "sinks": {"out": {"key": ["id"]}, "dead": {}},
    "trigger": "300ms",
}
BINDING: dict[str, Any] = {"reads": {"orders": "orders"}, "writes": {"out": "out", "dead": "dead"}}
SQL = "SELECT id, amount * ${factor} AS amount FROM orders"


def write_pipeline(folder: Path, document: dict[str, Any] = PIPELINE) -> None:
    """Beside the stack, as a person would."""
    place = folder / "pipelines" / document["name"]
    place.mkdir(parents=True)
    (place / "pipeline.yaml").write_text(yaml.safe_dump(document))
    (place / "order.json").write_text(json.dumps(SCHEMA))
    for flow in document["flows"].values():
        (place / flow["transform"]).write_text(SQL)
