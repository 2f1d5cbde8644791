"""What a rule says of itself, whatever it looks at: a stack file, or a template."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from hdictl.stack.finding import Severity


@dataclass(frozen=True)
class RuleWords:
    id: str
    severity: Severity
    title: str  # the rule as a sentence that holds when all is good
    why: str
    fix: str
    source: str


_Rule = TypeVar("_Rule", bound=RuleWords)


def register(rules: dict[str, _Rule], added: _Rule) -> _Rule:
    if added.id in rules:
        raise AssertionError(f"rule {added.id} is registered twice")
    rules[added.id] = added
    return added


def section(title: str, rules: Iterable[RuleWords]) -> str:
    """Rules as a section of a page."""
    head = "| id | severity | rule | why | fix | source |\n|---|---|---|---|---|---|"
    return "\n".join([f"## {title}", "", head, *map(_row, rules), ""])


def _row(rule: RuleWords) -> str:
    words = (rule.id, rule.severity.value, rule.title, rule.why, rule.fix, rule.source)
    return "| " + " | ".join(word.replace("|", "\\|") for word in words) + " |"
