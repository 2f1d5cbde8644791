"""docs/rules.md: the table of rules as a page. Written by `python -m hdictl.stack.check.page docs/rules.md`."""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path

from hdictl.stack.check import RULES
from hdictl.stack.rule_words import section

_SUBJECTS = {
    "S": "The shape of the file",
    "N": "Names",
    "A": "Azure",
    "U": "Users and secrets",
    "V": "Versions",
    "C": "Clusters",
    "R": "Regions and networks",
    "T": "Topics",
    "D": "Deleted topics",
    "J": "Jobs",
    "M": "Mirrors",
    "W": "Waivers",
}
_HEAD = """\
# Rules of `hdictl check`

`hdictl check` reads the stack file and nothing else: no cloud, no cluster. It reports all findings at once, each with
its line and its fix. Errors make it end with exit code 4; warnings do not. `hdictl explain T004` shows a rule on the
terminal.

A rule that does not apply is waived in the stack file, with a reason and, best, a last day:

    waivers:
      ordered-scratch: {rule: T002, on: ["topic:scratch"], reason: all records in order, until: 2027-01-31}

Findings of S and W cannot be waived. Numbers that are missing are kept for rules that need a living cluster.
"""


def rules_page() -> str:
    letters = list(_SUBJECTS)
    ordered = sorted(RULES.values(), key=lambda rule: (letters.index(rule.id[0]), rule.id))
    sections = (
        section(f"{letter}: {_SUBJECTS[letter]}", rules)
        for letter, rules in groupby(ordered, key=lambda rule: rule.id[0])
    )
    return "\n".join([_HEAD, *sections])


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(rules_page(), encoding="utf-8")
