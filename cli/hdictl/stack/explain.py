"""A key of the stack file or a rule of `check`, explained."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from hdictl.errors import UsageError
from hdictl.stack.check import RULES
from hdictl.stack.schema import Node, json_schema
from hdictl.stack.shown import shown
from hdictl.stack.suggest import did_you_mean
from hdictl.stack.topic_config import TOPIC_SETTINGS


@dataclass(frozen=True)
class Explanation:
    """What can be said of a key, or of a rule; what does not apply is empty."""

    subject: str  # "clusters.*.workers.count", or "T004: …"
    description: str = ""
    type: str = ""
    default: str | None = None
    is_required: bool | None = None  # said only of keys that are
    values: tuple[str, ...] = ()  # what may be written
    examples: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()  # what lies below
    severity: str = ""
    why: str = ""
    fix: str = ""
    source: str = ""


def explain(key: str) -> Explanation:
    """A dotted key (`clusters.*.workers.count`, names for `*` too, or its last words), or the id of a rule."""
    wanted = key.strip().strip(".")
    if wanted.upper() in RULES:
        return _rule(wanted.upper())
    path = _found(wanted, list(_known()))
    return _key(path, _known())


def known_keys() -> tuple[str, ...]:
    """Every key that a stack may have, `*` for names."""
    return tuple(_known())


def _rule(id: str) -> Explanation:
    rule = RULES[id]
    return Explanation(
        subject=f"{id}: {rule.title}",
        severity=rule.severity.value,
        why=rule.why,
        fix=rule.fix,
        source=rule.source,
    )


def _found(wanted: str, known: list[str]) -> str:
    """The one known key that is meant."""
    if wanted in TOPIC_SETTINGS:
        wanted = f"topics.*.config.{wanted}"
    fitting = [path for path in known if _pattern(path, name=r"[^.]+").fullmatch(wanted)]
    # Names of topics have dots, so a star may be more than one word, but then a key that is known must follow it:
    # a misspelt key is not to be taken for the end of a name.
    fitting = fitting or [
        path for path in known if not path.endswith("*") and _pattern(path, name=".+").fullmatch(wanted)
    ]
    if fitting:
        # `topics.defaults` is `topics.*` as well: what has more words and fewer stars is meant.
        return max(fitting, key=lambda path: (path.count("."), -path.count("*")))
    ending = [path for path in known if path.endswith(f".{wanted}")]
    ending = [path for path in ending if path.replace("topics.defaults.", "topics.*.") not in ending or "*" in path]
    if len(ending) == 1:
        return ending[0]
    if ending:
        raise UsageError(
            f"`{shown(wanted)}` is the end of {len(ending)} keys", fix=f"say which: {', '.join(ending[:8])}"
        )
    what = "rule" if re.fullmatch(r"[A-Za-z]\d+", wanted) else "key"
    meant = did_you_mean(wanted.upper(), RULES) if what == "rule" else _meant(wanted, known)
    raise UsageError(
        f"there is no {what} `{shown(wanted)}`{meant}",
        fix="name a key such as topics.*.partitions, or a rule such as T004",
    )


def _meant(wanted: str, known: list[str]) -> str:
    """Suggest a whole key, or a key that ends in something like this."""
    tails = {path.rpartition(".*.")[2]: path for path in known}
    return did_you_mean(wanted, known) or did_you_mean(wanted, tails)


def _pattern(path: str, *, name: str) -> re.Pattern[str]:
    return re.compile(re.escape(path).replace(r"\*", name))


@cache
def _known() -> dict[str, list[Node]]:
    """Every key with what the schema says of it: once, or once a kind of cluster."""
    schema = json_schema()
    return dict(_below("", [schema], schema["$defs"]))


def _below(prefix: str, nodes: list[Node], definitions: dict[str, Node]) -> Iterator[tuple[str, list[Node]]]:
    children: dict[str, list[Node]] = {}
    for node in nodes:
        required = node.get("required", [])
        for key, child in node.get("properties", {}).items():
            marked = {**child, "is_required": key in required, "of": _kind(node)}
            children.setdefault(key, []).extend(_variants(marked, definitions))
        others = node.get("additionalProperties")
        if isinstance(others, dict):
            children.setdefault("*", []).extend(_variants(others, definitions))
    for key, variants in children.items():
        path = f"{prefix}{key}"
        yield path, variants
        yield from _below(f"{path}.", variants, definitions)


def _kind(node: Node) -> str:
    """`kafka` or `spark` for what belongs to one kind of cluster."""
    kind: str = node.get("properties", {}).get("kind", {}).get("const", "")
    return kind or str(node.get("of", ""))


def _variants(node: Node, definitions: dict[str, Node]) -> list[Node]:
    """What a node refers to, with what is said at the reference on top; a union of mappings has several."""
    said = {key: value for key, value in node.items() if key not in ("$ref", "anyOf", "oneOf")}
    if "$ref" in node:
        return [{**definitions[node["$ref"].rpartition("/")[2]], **said}]
    choices = node.get("oneOf") or node.get("anyOf") or ()
    if any("$ref" in choice for choice in choices):
        return [
            {**variant, **said} for choice in choices for variant in _variants(choice, definitions) if choice != _NULL
        ]
    return [node]


_NULL = {"type": "null"}


def _key(path: str, known: dict[str, list[Node]]) -> Explanation:
    nodes = known[path]
    return Explanation(
        subject=path,
        description=_by_kind("description", nodes) or "",
        type=" or ".join(_distinct(_type(node) for node in nodes)),
        default=_by_kind("default", nodes),
        is_required=any(node.get("is_required", False) for node in nodes) or None,
        values=tuple(_distinct(value for node in nodes for value in _values(node))),
        examples=tuple(_distinct(_written(example) for node in nodes for example in node.get("examples", ()))),
        keys=_children(path, known),
    )


def _by_kind(what: str, nodes: list[Node]) -> str | None:
    """What is said of a key, or what is said for each kind of cluster."""
    said = [(_kind(node), str(node[what])) for node in nodes if what in node]
    if len({text for _, text in said}) > 1:
        return "; ".join(f"{kind}: {text.rstrip('.')}" for kind, text in said)
    return said[0][1] if said else None


def _children(path: str, known: dict[str, list[Node]]) -> tuple[str, ...]:
    """The keys directly below; below a mapping of names, those of what bears a name."""
    below = [key.removeprefix(f"{path}.") for key in known if key.startswith(f"{path}.")]
    if path.endswith(".config"):
        return tuple(below)  # the names of topic settings have dots of their own
    direct = [key for key in below if "." not in key]
    named = [key for key in below if key.startswith("*.") and key.count(".") == 1]
    return tuple(named if direct == ["*"] and named else direct)


def _distinct(texts: Iterator[str]) -> list[str]:
    return list(dict.fromkeys(texts))


def _type(node: Node) -> str:
    """In words; `null` and `${VARIABLE}` go without saying."""
    if "const" in node or "enum" in node:
        return "word"
    if "anyOf" in node:
        return " or ".join(_distinct(_type(choice) for choice in node["anyOf"] if choice != _NULL))
    types = node.get("type", "anything")
    names = [name for name in (types if isinstance(types, list) else [types]) if name != "null"]
    if len(names) > 1 and names[-1] == "string":
        names.pop()
    words = {
        "string": "text",
        "integer": "whole number",
        "object": "mapping",
        "array": "list",
        "boolean": "true or false",
    }
    return " or ".join(words.get(name, name) for name in names)


def _values(node: Node) -> Iterator[str]:
    if "const" in node:
        yield str(node["const"])
    for value in node.get("enum", ()):
        if value is not None:
            yield str(value)
    low = node.get("minimum", node.get("exclusiveMinimum"))
    if low is not None:
        low = low + 1 if "exclusiveMinimum" in node else low
        high = node.get("maximum")
        yield f"{low} to {high}" if high is not None and high < 2**31 - 1 else f"{low} or more"
    for choice in node.get("anyOf", ()):
        yield from _values(choice)
    if node.get("format") == "date":
        yield "a day such as 2027-01-31"


def _written(example: object) -> str:
    if isinstance(example, list):
        return f"[{', '.join(map(str, example))}]"
    if isinstance(example, dict):
        return f"{{{', '.join(f'{key}: {value}' for key, value in example.items())}}}"
    return str(example)
