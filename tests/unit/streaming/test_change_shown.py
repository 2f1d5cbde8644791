"""What `pipeline plan` says of a query, in text and in JSON."""

from __future__ import annotations

import json

from hdictl.show.pipelines import show_changes
from hdictl.streaming.change import IN_PLACE, to_change

WARNING = "`events` is read without max_offsets_per_trigger: after an outage …"
QUERY = {
    "query": "per_minute",
    "role": "output",
    "verdict": IN_PLACE,
    "sink": "kafka out",
    "columns": {"id": "string"},
    "operators": ["aggregate [count(1)] by [id]"],
    "differences": [],
    "warnings": [WARNING],
}


def test_a_warning_is_shown_and_is_no_verdict(capsys):
    change = to_change({"spark": "3.3.1", "queries": [QUERY], "gone": []})
    assert change.verdict == IN_PLACE
    show_changes("counts", {"orders": change}, as_json=False)
    assert f"! {WARNING}" in " ".join(capsys.readouterr().out.split())
    show_changes("counts", {"orders": change}, as_json=True)
    (job,) = json.loads(capsys.readouterr().out)["jobs"]
    assert (job["verdict"], job["queries"][0]["warnings"]) == (IN_PLACE, [WARNING])
