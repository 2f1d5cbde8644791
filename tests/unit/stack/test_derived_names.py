"""The rule on the length of derived names knows the names that templates really get."""

from __future__ import annotations

import datetime

from hdictl.arm.names import Names
from hdictl.stack.check.connection import route_table
from hdictl.stack.check.context import Context
from hdictl.stack.check.derived_names import derived_names
from tests.unit.stack.stacks import loaded

LONGEST_STACK = "s" * 40
LONGEST_REGION = "germanywestcentral"
TEXT = f"""\
stack: {LONGEST_STACK}
azure: {{subscription: 0b1f6471-1bf0-4dda-aec3-cb9272f09590, resource_group: rg, location: {LONGEST_REGION}}}
network: {{{LONGEST_REGION}: {{address_space: 10.0.0.0/16, subnets: {{k: 10.0.1.0/24}}}}}}
clusters: {{k: {{kind: kafka}}}}
monitor: {{notify: [a@b.example]}}
"""


def test_they_are_those_of_the_templates(tmp_path):
    read = loaded(tmp_path, TEXT)
    context = Context(
        read.stack,
        read.source,
        read.cut,
        tmp_path,
        datetime.date(2026, 6, 1),
        {},
        "azure",
        lambda path: path.read_text(),
    )
    names = Names(read.stack)
    assert [derived.name for derived in derived_names(context)] == [
        names.nsg(LONGEST_REGION, "k"),
        names.workspace(LONGEST_REGION),
    ]


def test_the_route_table_that_a_person_brings_is_the_one_that_subnets_get(tmp_path):
    stack = loaded(tmp_path, TEXT).stack
    assert route_table(stack.stack, LONGEST_REGION) == Names(stack).route_table(LONGEST_REGION)


def test_the_others_are_never_too_long(tmp_path):
    names = Names(loaded(tmp_path, TEXT).stack)
    assert len(names.vnet(LONGEST_REGION)) <= 64
    assert len(names.nat(LONGEST_REGION)) <= 80
    assert len(names.public_ip(LONGEST_REGION)) <= 80
    assert 3 <= len(names.identity(LONGEST_REGION)) <= 128
    assert 3 <= len(names.storage(LONGEST_REGION)) <= 24
