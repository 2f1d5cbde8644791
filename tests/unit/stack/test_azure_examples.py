"""The example stacks for Azure hold there, and one of them says everything that can be said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from pydantic import BaseModel

from hdictl.stack.check import check
from hdictl.stack.load import load
from hdictl.stack.place import Secret
from tests.unit.stack.stacks import TODAY

STACKS = Path(__file__).parents[2] / "invariants" / "stacks"
ENVIRON = {"AZURE_SUBSCRIPTION_ID": "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0", "HDI_JOIN_PASSWORD": "x"}
# SSH has a key or a password, never both.
LEFT_OUT = {("", "SshSecret", "password")}


@pytest.mark.parametrize("name", ["azure-full", "clickstream"])
@pytest.mark.parametrize("target", ["azure", "local", "docker"])
def test_it_holds(name, target):
    environ = ENVIRON if target == "azure" else {}
    loaded = load(STACKS / f"{name}.yaml", target=target, environ=environ)
    found = check(loaded, today=TODAY, environ=environ, target=target)
    assert [str(finding) for finding in found if not finding.waived] == []


def test_every_waiver_of_the_full_stack_is_needed_on_azure():
    loaded = load(STACKS / "azure-full.yaml", target="azure", environ=ENVIRON)
    found = check(loaded, today=TODAY, environ=ENVIRON, target="azure")
    assert {finding.rule for finding in found} == {waiver.rule for waiver in loaded.stack.waivers.values()}


def test_the_full_stack_uses_every_field_for_both_kinds():
    parts = list(_parts(load(STACKS / "azure-full.yaml", environ={}).stack))
    used = {(kind, type(part).__name__, field) for kind, part in parts for field in part.model_fields_set}
    possible = {(kind, type(part).__name__, field) for kind, part in parts for field in type(part).model_fields}
    assert possible - used == LEFT_OUT
    assert {kind for kind, _ in parts} == {"", "kafka", "spark"}


def _parts(value: object, kind: str = "") -> Iterator[tuple[str, BaseModel]]:
    """Every part of the stack, with the kind of the cluster that it belongs to. Secrets are alike everywhere."""
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _parts(inner, kind)
    elif isinstance(value, BaseModel):
        kind = getattr(value, "kind", kind)
        yield "" if isinstance(value, Secret) else kind, value
        yield from _parts({**dict(value), **(value.model_extra or {})}, kind)
