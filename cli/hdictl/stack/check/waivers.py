"""W: waivers: a rule that does not apply here, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fnmatch import fnmatchcase

from hdictl.stack.check.context import Context
from hdictl.stack.check.registry import RULES, WARNING, Problem, declare
from hdictl.stack.finding import Finding
from hdictl.stack.model import Waiver
from hdictl.stack.shown import shown
from hdictl.stack.suggest import did_you_mean

_UNKNOWN = declare(
    "W001",
    WARNING,
    "A waiver names a rule that can be waived",
    why="A misspelt id waives nothing. Findings about the file's shape (S) and about waivers (W) cannot be waived.",
    fix="Take an id from `hdictl check`'s output.",
    source="hdictl",
)
_EXPIRED = declare(
    "W002",
    WARNING,
    "No waiver is past its day",
    why="After `until`, a waiver no longer holds and the finding counts again.",
    fix="Mend what was waived, or think again and set another day.",
    source="hdictl",
)
_IDLE = declare(
    "W003",
    WARNING,
    "Every waiver is needed",
    why="A waiver that waives nothing hides the day when the rule is broken again.",
    fix="Take it away, or mend its `on`.",
    source="hdictl",
)


def applied(found: Iterable[Finding], context: Context) -> tuple[Finding, ...]:
    """The findings with their waivers' reasons, and what is wrong with the waivers themselves."""
    used: set[str] = set()
    result = [_waived(finding, context, used) for finding in found]
    return (*result, *_about_waivers(context, used))


def _holds(waiver: Waiver, context: Context) -> bool:
    return waiver.until is None or context.today <= waiver.until


def _waived(finding: Finding, context: Context, used: set[str]) -> Finding:
    rule = RULES.get(finding.rule)
    if rule is None or not rule.may_be_waived:
        return finding
    for key, waiver in context.stack.waivers.items():
        matches = waiver.rule == finding.rule and any(fnmatchcase(finding.address, on) for on in waiver.addresses)
        if matches and _holds(waiver, context):
            used.add(key)
            finding = replace(finding, waived=waiver.reason)
    return finding


def _about_waivers(context: Context, used: set[str]) -> Iterator[Finding]:
    for key, waiver in context.stack.waivers.items():
        address, path = f"waiver:{key}", ("waivers", key)
        rule = RULES.get(waiver.rule)
        if rule is None or not rule.may_be_waived:
            known = [other.id for other in RULES.values() if other.may_be_waived]
            what = "is not a rule" if rule is None else "cannot be waived"
            meant = did_you_mean(waiver.rule, known) if rule is None else ""
            problem = Problem(
                address, (*path, "rule"), f"`{shown(waiver.rule)}` {what}{meant}", "take an id from the check's output"
            )
            yield _UNKNOWN.finding(problem, context.source.mark(problem.path))
        elif not _holds(waiver, context):
            problem = Problem(
                address,
                (*path, "until"),
                f"the waiver of {waiver.rule} ended on {waiver.until}",
                "mend what was waived, or set another day",
            )
            yield _EXPIRED.finding(problem, context.source.mark(problem.path))
        elif key not in used and not context.cut and not rule.varies:
            problem = Problem(
                address, path, f"the waiver of {waiver.rule} waives nothing", "take it away, or mend its `on`"
            )
            yield _IDLE.finding(problem, context.source.mark(problem.path))
