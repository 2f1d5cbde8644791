from __future__ import annotations

from pathlib import Path

from hdictl.arm.lint import RULES
from hdictl.arm.lint.page import lint_page
from hdictl.stack.check import RULES as STACK_RULES

PAGE = Path(__file__).parents[3] / "docs" / "template-lint.md"


def test_the_page_is_in_step():
    assert PAGE.read_text(encoding="utf-8") == lint_page(), (
        "write it anew: python -m hdictl.arm.lint.page docs/template-lint.md"
    )


def test_every_rule_says_everything():
    for rule in RULES.values():
        assert all((rule.title, rule.why, rule.fix, rule.source)), rule.id
        assert not rule.title.endswith("."), rule.id
        assert rule.why.endswith(".") and rule.fix.endswith("."), rule.id


def test_ids_are_not_those_of_rules_over_stacks():
    assert RULES.keys().isdisjoint(STACK_RULES)
