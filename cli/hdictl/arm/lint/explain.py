"""A rule over templates, explained as one over stack files is."""

from __future__ import annotations

from hdictl.arm.lint import RULES
from hdictl.stack.explain import Explanation


def explain_rule(id: str) -> Explanation | None:
    """None: it is no rule over templates."""
    rule = RULES.get(id.strip().upper())
    if rule is None:
        return None
    return Explanation(
        subject=f"{rule.id}: {rule.title}",
        severity=rule.severity.value,
        why=rule.why,
        fix=rule.fix,
        source=rule.source,
    )
