"""Every example stack that goes to Azure, rendered."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from hdictl.arm.deployment import Deployment
from hdictl.arm.evaluate import Place
from hdictl.arm.files import file_texts
from hdictl.arm.render import render
from hdictl.arm.resolved import resolved_resources
from hdictl.stack.load import load

_TESTS = Path(__file__).parents[2]
SUBSCRIPTION = "11111111-2222-3333-4444-555555555555"
PUBLIC_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ ada@example"
_PLACE = Place(SUBSCRIPTION, "rg-example", "westeurope")
EXAMPLES = {
    f"{file.parent.name}/{file.stem}": file
    for folder in ("invariants/stacks", "bench/stacks", "unit/arm/golden")
    for file in sorted((_TESTS / folder).glob("*.yaml"))
    if "\nazure:" in file.read_text(encoding="utf-8")
}


@cache
def deployments(name: str) -> tuple[tuple[Deployment, str, str], ...]:
    """Each with the text of its template and of its parameter file."""
    stack = load(EXAMPLES[name], target="azure", environ={"AZURE_SUBSCRIPTION_ID": SUBSCRIPTION}).stack
    assert stack is not None, f"{name} does not load"
    rendered = render(stack, public_key=PUBLIC_KEY)
    texts = file_texts(rendered)
    return tuple(
        (one, texts[f"{one.scope.value}.template.json"], texts[f"{one.scope.value}.parameters.json"])
        for one in (rendered.subscription, rendered.group)
    )


@cache
def resources(name: str) -> tuple[Mapping[str, Any], ...]:
    """As Azure gets them: ids and values in place of expressions."""
    return tuple(one for deployment, _, _ in deployments(name) for one in resolved_resources(deployment, _PLACE))


def resolved_templates(name: str) -> dict[str, dict[str, Any]]:
    """Scope → template, with values in place of expressions."""
    return {
        deployment.scope.value: {
            **deployment.template,
            "resources": [_without_id(one) for one in resolved_resources(deployment, _PLACE)],
        }
        for deployment, _, _ in deployments(name)
    }


def _without_id(resource: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in resource.items() if key != "id"}


def module_files() -> list[Path]:
    return sorted((_TESTS.parent / "templates" / "arm").glob("*.json"))


def as_json(text: str) -> Any:
    return json.loads(text)
