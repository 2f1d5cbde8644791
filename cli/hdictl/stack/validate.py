"""Data to model; what does not fit becomes findings with a line, never an exception.

When a part does not fit, it is cut out and the rest is validated again, so that one wrong topic does not hide what
the rules have to say about the other two thousand.
"""

from __future__ import annotations

import copy
import types
import typing
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from hdictl.stack.clusters import KafkaCluster, SparkCluster
from hdictl.stack.finding import Finding, Severity
from hdictl.stack.model import Stack, Topic
from hdictl.stack.shown import shown
from hdictl.stack.source import Path, Source
from hdictl.stack.suggest import did_you_mean

_CUTS = 4
_NAMED = {"clusters", "topics", "jobs", "mirrors", "network", "storage", "deleted", "waivers"}
_WORDING = {
    "missing": ("`{key}` is missing", "add `{key}:`"),
    "int_parsing": ("`{key}` must be a whole number, not `{input}`", "write digits only"),
    "int_type": ("`{key}` must be a whole number", "write digits only"),
    "int_from_float": ("`{key}` must be a whole number, not `{input}`", "write digits only"),
    "string_type": ("`{key}` must be text, not {kind}", "put the value in quotes"),
    "dict_type": ("`{key}` must be a mapping, not {kind}", "write `{key}:` and its keys below it, indented"),
    "model_type": ("`{key}` must be a mapping, not {kind}", "write `{key}:` and its keys below it, indented"),
    "model_attributes_type": (
        "`{key}` must be a mapping, not {kind}",
        "write `{key}:` and its keys below it, indented",
    ),
    "list_type": ("`{key}` must be a list, not {kind}", "write [a, b] or one `- a` a line"),
    "bool_parsing": ("`{key}` must be true or false, not `{input}`", "write true or false"),
    "greater_than": ("`{key}` must be greater than {gt}, not `{input}`", "raise it"),
    "greater_than_equal": ("`{key}` must be at least {ge}, not `{input}`", "raise it"),
    "less_than_equal": ("`{key}` must be at most {le}, not `{input}`", "lower it"),
    "literal_error": ("`{key}` cannot be `{input}`; it is one of {expected}", "choose one of them"),
    "union_tag_invalid": ("`kind` cannot be `{tag}`; it is one of {expected_tags}", "choose one of them"),
    "union_tag_not_found": ("`kind` is missing", "add `kind: kafka` or `kind: spark`"),
    "string_too_short": ("`{key}` is empty", "say something"),
    "too_short": ("`{key}` is empty", "name at least one"),
}


@dataclass(frozen=True)
class Validated:
    stack: Stack | None
    findings: tuple[Finding, ...]
    cut: frozenset[tuple[str, str]]  # (section, name) of what was left out; nothing may be said to dangle on these


def validate(source: Source) -> Validated:
    data = source.data
    findings: list[Finding] = []
    cut: set[tuple[str, str]] = set()
    for _ in range(_CUTS):
        try:
            return Validated(Stack.model_validate(data), tuple(findings), frozenset(cut))
        except ValidationError as error:
            details = error.errors(include_url=False)
        found = {str(finding): finding for finding in (_finding(detail, source) for detail in details)}
        findings += [finding for finding in found.values() if str(finding) not in {str(known) for known in findings}]
        data = copy.copy(data)
        for detail in details:
            _cut(data, _path(detail["loc"], source.data), cut)
    return Validated(None, tuple(findings), frozenset(cut))


def _cut(data: dict[str, Any], path: Path, cut: set[tuple[str, str]]) -> None:
    section = str(path[0]) if path else ""
    if section in _NAMED and len(path) > 1 and isinstance(data.get(section), dict):
        data[section] = {name: value for name, value in data[section].items() if name != path[1]}
        cut.add((section, str(path[1])))
    elif section == "stack":
        data["stack"] = "unnamed"
        cut.add((section, "*"))
    else:
        data.pop(section, None)
        cut.add((section, "*"))


def _finding(detail: ErrorDetails, source: Source) -> Finding:
    path = _path(detail["loc"], source.data)
    if detail["type"] == "union_tag_invalid":
        path = (*path, "kind")  # pydantic names the cluster, a person looks for the word
    key = str(path[-1]) if path else "the file"
    address = ".".join(str(part) for part in path) or source.file
    if detail["type"] == "extra_forbidden":
        known = _fields(_model_at(path[:-1], source.data))
        rule, message = "S002", f"unknown key `{shown(key)}`{did_you_mean(key, known)}"
        parent = ".".join(str(part) for part in path[:-1])
        fix = f"it is one of {', '.join(known)}" if len(known) <= 16 else f"see `hdictl explain {parent}`"
    else:
        rule = "S003"
        message, fix = _worded(detail, key, address)
    return Finding(rule, Severity.ERROR, address, shown(message, 400), fix, source.mark(path))


def _worded(detail: ErrorDetails, key: str, address: str) -> tuple[str, str]:
    context = {name: value for name, value in (detail.get("ctx") or {}).items() if name != "error"}
    wording = _WORDING.get(detail["type"])
    if wording is None:
        return f"`{key}`: {detail['msg'].removeprefix('Value error, ')}", f"see `hdictl explain {address}`"
    value = detail["input"]
    words = {"key": shown(key), "input": shown(value, 40), "kind": _kind(value), **context}
    return wording[0].format(**words), wording[1].format(**words)


def _kind(value: Any) -> str:
    names = {dict: "a mapping", list: "a list", str: "text", type(None): "nothing", bool: "true or false"}
    return names.get(type(value), "a number")


def _path(location: tuple[str | int, ...], data: Any) -> Path:
    """pydantic's location without the names of union members, which are not in the file."""
    path: list[str | int] = []
    here = data
    for index, part in enumerate(location):
        is_last = index == len(location) - 1
        if isinstance(here, dict) and part in here:
            here = here[str(part)]
        elif isinstance(here, list) and isinstance(part, int) and part < len(here):
            here = here[part]
        elif not (is_last and isinstance(here, dict)):
            continue
        path.append(part)
    return tuple(path)


def _model_at(path: Path, data: Any) -> type[BaseModel]:
    """The model that a path of the file is validated by."""
    model: Any = Stack
    for part in path:
        data = data.get(part) if isinstance(data, dict) else None
        if isinstance(model, type) and issubclass(model, BaseModel):
            model = _annotation(model, str(part))
        else:
            model = (typing.get_args(model) or (Any,))[-1]
        model = _unwrapped(model, data)
    return model if isinstance(model, type) and issubclass(model, BaseModel) else Stack


def _annotation(model: type[BaseModel], key: str) -> Any:
    for name, field in model.model_fields.items():
        if key in (name, field.alias):
            return field.annotation
    return Topic


def _unwrapped(annotation: Any, data: Any) -> Any:
    while typing.get_origin(annotation) is typing.Annotated:
        annotation = typing.get_args(annotation)[0]
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        members = [member for member in typing.get_args(annotation) if member is not type(None)]
        if KafkaCluster in members:
            return SparkCluster if isinstance(data, dict) and data.get("kind") == "spark" else KafkaCluster
        return members[0]
    return annotation


def _fields(model: type[BaseModel]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]
