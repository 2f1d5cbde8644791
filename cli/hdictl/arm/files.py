"""Deployments as the files that `az deployment` takes, the same bytes whenever the stack is the same."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from hdictl.arm.deployment import Deployment, DeploymentScope, Rendered
from hdictl.stack.model import Stack

PARAMETERS_SCHEMA = "https://schema.management.azure.com/schemas/2019-04-01/deploymentParameters.json#"


def file_texts(rendered: Rendered) -> dict[str, str]:
    """File name → text, in the order of deployment."""
    texts = {}
    for deployment in (rendered.subscription, rendered.group):
        parameters = {
            "$schema": PARAMETERS_SCHEMA,
            "contentVersion": "1.0.0.0",
            "parameters": deployment.parameters,
        }
        texts[deployment.template_file] = _text(deployment.template)
        texts[deployment.parameter_file] = _text(parameters)
    return texts


def _text(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def az_commands(rendered: Rendered, folder: PurePath, stack: Stack) -> tuple[str, ...]:
    """What deploys the files without hdictl."""
    if stack.azure is None:
        return ()
    place = {
        DeploymentScope.SUBSCRIPTION: ("sub", "--location", stack.azure.location),
        DeploymentScope.GROUP: ("group", "--resource-group", stack.azure.resource_group),
    }
    return tuple(
        _command(deployment, folder, stack.azure.subscription, *place[deployment.scope])
        for deployment in (rendered.subscription, rendered.group)
    )


def _command(deployment: Deployment, folder: PurePath, subscription: str, kind: str, *place: str) -> str:
    template, parameters = folder / deployment.template_file, folder / deployment.parameter_file
    whole = ["az", "deployment", kind, "create", "--subscription", subscription, *place, "--name", deployment.name]
    return shlex.join([*whole, "--template-file", str(template), "--parameters", str(parameters)])
