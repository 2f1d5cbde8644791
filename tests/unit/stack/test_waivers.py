from __future__ import annotations

import pytest

from hdictl.stack.finding import blocking
from tests.unit.stack.stacks import checked

HEAD = "stack: d\nclusters: {kk: {kind: kafka}}\ntopics:\n  a: {partitions: 1}\n  b: {partitions: 2}\nwaivers:\n"


def _states(found):
    return [(finding.rule, finding.address, finding.waived) for finding in found]


def test_a_waiver_holds_for_what_it_names(tmp_path):
    found = checked(tmp_path, HEAD + "  w: {rule: T002, on: ['topic:a'], reason: in order}\n")
    assert _states(found) == [("T002", "topic:a", "in order"), ("T002", "topic:b", None)]
    assert [finding.address for finding in blocking(found)] == ["topic:b"]


@pytest.mark.parametrize("on", ["", ", on: ['topic:*']", ", on: ['*:b', '*:a']"])
def test_patterns(tmp_path, on):
    found = checked(tmp_path, f"{HEAD}  w: {{rule: T002{on}, reason: small}}\n")
    assert [finding.waived for finding in found] == ["small", "small"]
    assert blocking(found) == ()


@pytest.mark.parametrize(("until", "holds"), [("2026-05-31", False), ("2026-06-01", True), ("2026-06-02", True)])
def test_the_last_day_still_counts(tmp_path, until, holds):
    found = checked(tmp_path, f"{HEAD}  w: {{rule: T002, reason: small, until: {until}}}\n")
    assert [finding.rule for finding in found] == ["T002", "T002"] + ([] if holds else ["W002"])
    assert {finding.waived for finding in found if finding.rule == "T002"} == {"small" if holds else None}


def test_a_waiver_of_what_depends_on_the_target_may_be_idle(tmp_path):
    text = "stack: d\nclusters: {kk: {kind: kafka, local: {brokers: 1}}}\ntopics: {a: {}}\n"
    text += "waivers: {w: {rule: T005, reason: a laptop}}\n"
    assert _states(checked(tmp_path, text)) == [("T005", "topic:a", "a laptop")]
    assert [finding.rule for finding in checked(tmp_path, text, target="azure")] == ["A001", "U008", "U008"]


def test_a_waiver_needs_a_reason(tmp_path):
    found = checked(tmp_path, HEAD + "  w: {rule: T002}\n")
    assert ("S003", 7) in [(finding.rule, finding.mark.line) for finding in found]
    assert len(blocking(found)) == 3
