"""docs/template-lint.md: the rules as a page. Written by `python -m hdictl.arm.lint.page docs/template-lint.md`."""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path

from hdictl.arm.lint import RULES
from hdictl.stack.rule_words import section

_SUBJECTS = {
    "X00": "The document",
    "X01": "Expressions",
    "X02": "Parameters",
    "X03": "Secrets",
    "X04": "Order",
    "X05": "Names",
    "X06": "Networks",
    "X07": "Security groups",
    "X08": "Storage",
    "X09": "Identities",
    "X10": "Clusters",
    "X11": "Nodes",
    "X12": "Properties",
    "X13": "What goes together",
}
_HEAD = """\
# Rules over ARM templates

`hdictl check --template FILE [--parameters FILE]` reads an ARM template, one that `hdictl render` wrote or any other,
and reports what would fail at the deployment, or would be deployed and be wrong. Nothing is asked of Azure. Schemas and
public scanners know next to nothing of HDInsight; these rules are for what they let pass.

Expressions are worked out as far as the template and its parameter file say; where a value is only known at the
deployment, a rule holds its peace. Loops are unrolled, nested deployments are looked into. Errors make the command end
with exit code 4; warnings do not. `hdictl render` and `hdictl apply` refuse a template in which an error is found.

What these rules leave out is checkov's: `templates/checkov.yaml` is a configuration for it, with a reason for every
check that is skipped (`checkov --config-file checkov.yaml --directory rendered`).
"""


def lint_page() -> str:
    ordered = sorted(RULES.values(), key=lambda rule: rule.id)
    sections = (section(_SUBJECTS[prefix], rules) for prefix, rules in groupby(ordered, key=lambda rule: rule.id[:3]))
    return "\n".join([_HEAD, *sections])


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(lint_page(), encoding="utf-8")
