"""Every rule over templates: a fault planted in a good template is found, where it is, and nothing else is."""

from __future__ import annotations

import json

import pytest

from hdictl.arm.lint import RULES, lint_text
from hdictl.arm.lint.fields import path_text
from tests.unit.arm_lint.faults import FAULTS, PLAIN, Fault
from tests.unit.arm_lint.good import good

READ = {"X001", "X002"}  # found while the text is read: see test_reading


def _text(template) -> str:
    return json.dumps(template, indent=2)


def _id(fault: Fault) -> str:
    return f"{fault.rule}-{FAULTS.index(fault)}"


def test_nothing_is_wrong_with_the_good_template():
    assert [str(finding) for finding in lint_text(_text(good()))] == []


@pytest.mark.parametrize("fault", FAULTS, ids=_id)
def test_found(fault: Fault):
    given = fault.parameters
    parameters = {name: {"value": value} for name, value in given.items()} if given is not None else None
    found = lint_text(_text(fault.planted(good())), parameters)
    ours = [finding for finding in found if finding.rule == fault.rule]
    assert ours, f"{fault.rule} is silent; found: {[str(finding) for finding in found]}"
    assert {finding.rule for finding in found} <= {fault.rule, *fault.also}, [str(finding) for finding in found]
    assert {finding.severity for finding in ours} == {RULES[fault.rule].severity}
    assert any(fault.says in finding.message for finding in ours), [finding.message for finding in ours]
    where = path_text(fault.path if fault.at is None else fault.at)
    assert where in [finding.address[: len(where)] for finding in ours], [finding.address for finding in ours]
    assert PLAIN not in repr(found)


def test_every_rule_has_a_fault():
    assert set(RULES) - {fault.rule for fault in FAULTS} == READ
