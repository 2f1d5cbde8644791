"""Faults that public scanners of templates do not see, planted one by one in a stack that holds: each is found, as one
error, by the rule that it breaks. Faults that no stack can say (a role left out, a dependency on nothing, a priority
of a security rule, a secret in an output) are looked for in templates."""

from __future__ import annotations

import pytest

from hdictl.stack.finding import Severity
from tests.unit.stack.public_keys import PUBLIC_KEYS
from tests.unit.stack.stacks import checked

HOLDS = """\
stack: demo
azure: {subscription: 0b1f6471-1bf0-4dda-aec3-cb9272f09590, resource_group: rg-demo, location: westeurope}
secrets:
  gateway: {keyvault: kv-demo, name: gateway}
  ssh: {public_key_file: id.pub}
network:
  westeurope:
    address_space: 10.20.0.0/16
    subnets: {ingest: 10.20.1.0/24, jobs: 10.20.2.0/24}
    admins: [203.0.113.7/32]
storage:
  westeurope: {account: demodata, replication: ZRS}
clusters:
  ingest:
    kind: kafka
    version: "5.1"
    kafka: "3.2"
    workers: {count: 4, size: Standard_E8_v3, disks: 2}
    zookeeper: {size: Standard_A4_v2}
    scripts: {limits: {uri: https://scripts.example.com/limits.sh}}
  jobs:
    kind: spark
    workers: {count: 4, size: Standard_E8_v3}
    autoscale: {min: 3, max: 10}
"""
FAULTS = {
    "kind kakfa": ("kind: kafka", "kind: kakfa", "S003", 15),
    "version 9.9": ('version: "5.1"', 'version: "9.9"', "V001", 16),
    "retired version": ('version: "5.1"', 'version: "4.0"', "V001", 16),
    "version in three parts": ('kafka: "3.2"', 'kafka: "3.2.0"', "V002", 17),
    "nonsense size": ("size: Standard_E8_v3, disks", "size: Standard_Huge, disks", "C002", 18),
    "size of another role": ("size: Standard_A4_v2", "size: Standard_F8", "C003", 19),
    "too many disks": ("disks: 2", "disks: 17", "C005", 18),
    "subnet that does not exist": ("{ingest: 10", "{ingestion: 10", "R006", 14),
    "subnets overlap": ("jobs: 10.20.2.0/24", "jobs: 10.20.1.128/25", "R004", 9),
    "subnet outside its VNet": ("jobs: 10.20.2.0/24", "jobs: 10.21.2.0/24", "R003", 9),
    "first six characters collide": ("    kind: spark", "    kind: spark\n    name: ingest-spark", "N004", 23),
    "one name twice": ("    kind: spark", "    kind: spark\n    name: ingest-demo", "N005", 23),
    "literal secret": ("{keyvault: kv-demo, name: gateway}", "{password: Hunter2-hunter2}", "S002", 4),
    "secret in the name of a variable": ("{keyvault: kv-demo, name: gateway}", "{env: Hunter2-hunter2}", "U012", 4),
    "undeclared variable": ("resource_group: rg-demo", "resource_group: '${GROUP}'", "S004", 2),
    "unbalanced variable": ("resource_group: rg-demo", "resource_group: '${GROUP'", "S005", 2),
    "open to the world": ("203.0.113.7/32", "0.0.0.0/0", "R016", 10),
    "account that cannot be called so": ("account: demodata", "account: demo-data", "R020", 12),
    "script from nowhere": ("https://scripts.example.com", "./scripts", "C026", 20),
    "public key that is private": ("id.pub", "private.pem", "U010", 5),
    "autoscale upside down": ("min: 3, max: 10", "min: 10, max: 3", "C007", 24),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("faults")
    for name, text in PUBLIC_KEYS.items():
        (made / name).write_text(text, encoding="utf-8")
    return made


def test_it_holds_without_them(folder):
    assert checked(folder, HOLDS, target="azure") == ()


@pytest.mark.parametrize(("right", "wrong", "rule", "line"), FAULTS.values(), ids=FAULTS.keys())
def test_each_is_found(folder, right, wrong, rule, line):
    assert HOLDS.count(right) == 1
    found = checked(folder, HOLDS.replace(right, wrong), target="azure")
    errors = [(finding.rule, finding.mark.line) for finding in found if finding.severity is Severity.ERROR]
    assert errors == [(rule, line)], [str(finding) for finding in found]
    assert "unter2" not in repr(found)
