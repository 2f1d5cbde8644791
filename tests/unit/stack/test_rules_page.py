from __future__ import annotations

from pathlib import Path

from hdictl.stack.check import RULES
from hdictl.stack.check.page import rules_page

PAGE = Path(__file__).parents[3] / "docs" / "rules.md"


def test_the_page_is_in_step():
    assert PAGE.read_text(encoding="utf-8") == rules_page(), (
        "write it anew: python -m hdictl.stack.check.page docs/rules.md"
    )


def test_every_rule_says_everything():
    for rule in RULES.values():
        assert all((rule.title, rule.why, rule.fix, rule.source)), rule.id
        assert not rule.title.endswith("."), rule.id
        assert rule.why.endswith(".") and rule.fix.endswith("."), rule.id
