"""Names that derive from the stack fit into Azure's limits, or the rule on their length looks at them."""

from __future__ import annotations

from hdictl.stack.resource_names import Names
from tests.unit.stack.stacks import loaded

LONGEST_STACK = "s" * 40
LONGEST_REGION = "germanywestcentral"
TEXT = f"""\
stack: {LONGEST_STACK}
azure: {{subscription: 0b1f6471-1bf0-4dda-aec3-cb9272f09590, resource_group: rg, location: {LONGEST_REGION}}}
"""


def test_those_that_no_rule_looks_at_are_never_too_long(tmp_path):
    names = Names(loaded(tmp_path, TEXT).stack)
    assert len(names.vnet(LONGEST_REGION)) <= 64
    assert len(names.nat(LONGEST_REGION)) <= 80
    assert len(names.public_ip(LONGEST_REGION)) <= 80
    assert len(names.route_table(LONGEST_REGION)) <= 80
    assert 3 <= len(names.identity(LONGEST_REGION)) <= 128
    assert 3 <= len(names.storage(LONGEST_REGION)) <= 24


def test_the_case_of_subscription_and_group_makes_no_other_stack(tmp_path):
    names = Names(loaded(tmp_path, TEXT).stack)
    shouted = Names(loaded(tmp_path, TEXT.replace("0b1f6471", "0B1F6471").replace("group: rg", "group: RG")).stack)
    assert shouted.storage(LONGEST_REGION) == names.storage(LONGEST_REGION)
    assert shouted.role_assignment(LONGEST_REGION) == names.role_assignment(LONGEST_REGION)
