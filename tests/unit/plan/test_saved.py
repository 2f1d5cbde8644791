"""Files that are not plans."""

from __future__ import annotations

import pytest

from hdictl.errors import PlanUnreadable
from hdictl.plan.saved import read_plan


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is not a plan"),
        ("{", "is not a plan"),
        ("[]", "is not a plan"),
        ('{"version": 2, "stack": "s", "target": "local", "clusters": {}, "fingerprint": "f"}', "version"),
        ('{"stack": "s", "target": "local", "clusters": {}, "fingerprint": "f", "more": 1}', "more"),
    ],
)
def test_what_is_not_a_plan_is_said_to_be_none(tmp_path, text, said):
    file = tmp_path / "plan.json"
    file.write_text(text)
    with pytest.raises(PlanUnreadable, match=said):
        read_plan(file)


def test_bytes_and_missing_files(tmp_path):
    (tmp_path / "plan.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PlanUnreadable):
        read_plan(tmp_path / "plan.json")
    with pytest.raises(PlanUnreadable, match="no such plan"):
        read_plan(tmp_path / "none.json")
