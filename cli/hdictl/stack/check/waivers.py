"""W: waivers: a rule that does not apply here, and why."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fnmatch import translate

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
    patterns = _patterns(context)
    used: set[str] = set()
    result = [_waived(finding, patterns, context.stack.waivers, used) for finding in found]
    return (*result, *_about_waivers(context, used))


def _patterns(context: Context) -> dict[str, list[tuple[str, re.Pattern[str]]]]:
    """Rule → (waiver, what it is waived for), of the waivers that hold."""
    patterns: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
    for key, waiver in context.stack.waivers.items():
        rule = RULES.get(waiver.rule)
        if rule is not None and rule.may_be_waived and _holds(waiver, context):
            addresses = re.compile("|".join(map(translate, waiver.addresses)) or r"\Z.")
            patterns.setdefault(waiver.rule, []).append((key, addresses))
    return patterns


def _holds(waiver: Waiver, context: Context) -> bool:
    return waiver.until is None or context.today <= waiver.until


def _waived(
    finding: Finding,
    patterns: Mapping[str, list[tuple[str, re.Pattern[str]]]],
    waivers: Mapping[str, Waiver],
    used: set[str],
) -> Finding:
    for key, addresses in patterns.get(finding.rule, ()):
        if addresses.match(finding.address):
            used.add(key)
            finding = replace(finding, waived=waivers[key].reason)
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
