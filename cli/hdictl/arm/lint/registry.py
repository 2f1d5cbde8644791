"""What a rule over templates is, and the table of all of them; as `stack.check.registry` is for stack files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hdictl.arm.lint.fields import path_text
from hdictl.arm.lint.marks import readable
from hdictl.stack.finding import Finding, Mark, Severity
from hdictl.stack.rule_words import RuleWords, register
from hdictl.stack.shown import shown
from hdictl.stack.source import Path

if TYPE_CHECKING:
    from hdictl.arm.lint.template import Template

ERROR = Severity.ERROR
WARNING = Severity.WARNING


@dataclass(frozen=True)
class Problem:
    """One breach of a rule: where it is written, what is wrong, and what to do."""

    path: Path
    message: str
    fix: str


Look = Callable[["Template"], Iterable[Problem]]


@dataclass(frozen=True)
class Rule(RuleWords):
    look: Look | None = None  # None: found while the text is read

    def finding(self, problem: Problem, mark: Mark) -> Finding:
        message = shown(readable(problem.message), 400)
        return Finding(self.id, self.severity, path_text(problem.path), message, readable(problem.fix), mark)


RULES: dict[str, Rule] = {}


def rule(  # noqa: PLR0913 - the words of a rule
    id: str, severity: Severity, title: str, *, why: str, fix: str, source: str
) -> Callable[[Look], Look]:
    """Register a function as a rule."""

    def registered(look: Look) -> Look:
        register(RULES, Rule(id, severity, title, why, fix, source, look))
        return look

    return registered


def declare(  # noqa: PLR0913
    id: str, severity: Severity, title: str, *, why: str, fix: str, source: str
) -> Rule:
    """Register a rule that is found elsewhere than by a function over a template."""
    return register(RULES, Rule(id, severity, title, why, fix, source))
