"""The list of checks that checkov skips: each with its reason."""

from __future__ import annotations

import re

from hdictl import assets
from tests.checkov.__main__ import skipped

_WITH_REASON = re.compile(r"  - (CKV\w+)\s+# .{20,}")


def test_every_skip_has_a_reason():
    lines = assets.template("checkov.yaml").read_text(encoding="utf-8").splitlines()
    reasoned = [match[1] for line in lines if (match := _WITH_REASON.fullmatch(line))]
    assert reasoned == skipped()
    assert len(set(reasoned)) == len(reasoned)
