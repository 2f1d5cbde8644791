"""What a rule is, and the table of all of them.

A rule is a small function that looks at a stack and yields problems. `@rule(...)` gives it an id, a severity and the
words that `hdictl explain` and docs/rules.md show; a new rule is a new function, nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hdictl.stack.finding import Finding, Mark, Severity
from hdictl.stack.rule_words import RuleWords, register
from hdictl.stack.shown import shown
from hdictl.stack.source import Path

if TYPE_CHECKING:
    from hdictl.stack.check.context import Context

ERROR = Severity.ERROR
WARNING = Severity.WARNING


@dataclass(frozen=True)
class Problem:
    """One breach of a rule: what it concerns, where it is written, what is wrong, and what to do."""

    address: str  # what waivers name: "topic:page-views"
    path: Path
    message: str
    fix: str


Look = Callable[["Context"], Iterable[Problem]]


@dataclass(frozen=True)
class Rule(RuleWords):
    look: Look | None = None  # None: found while the file is loaded, or while waivers are applied
    varies: bool = False  # also depends on the target or the environment, so a waiver may be idle here

    @property
    def may_be_waived(self) -> bool:
        """What does not fit the model cannot be built; what is wrong with a waiver cannot be waived by another."""
        return self.id[0] not in "SW"

    def finding(self, problem: Problem, mark: Mark) -> Finding:
        return Finding(self.id, self.severity, problem.address, shown(problem.message, 400), problem.fix, mark)


RULES: dict[str, Rule] = {}


def rule(  # noqa: PLR0913 - the words of a rule
    id: str, severity: Severity, title: str, *, why: str, fix: str, source: str, varies: bool = False
) -> Callable[[Look], Look]:
    """Register a function as a rule."""

    def registered(look: Look) -> Look:
        register(RULES, Rule(id, severity, title, why, fix, source, look, varies))
        return look

    return registered


def declare(  # noqa: PLR0913
    id: str, severity: Severity, title: str, *, why: str, fix: str, source: str
) -> Rule:
    """Register a rule that is found elsewhere than by a function over the context."""
    return register(RULES, Rule(id, severity, title, why, fix, source))
