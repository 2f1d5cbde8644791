"""A deployment as a value: a template, its parameters, and where it goes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from hdictl.stack.place import Secret


class DeploymentScope(str, Enum):
    SUBSCRIPTION = "subscription"
    GROUP = "group"


@dataclass(frozen=True)
class Deployment:
    """`parameters` is what the parameter file says: values, and references to Key Vault. Secure parameters that no
    vault holds are in `secrets`; their values are added in memory, at the last moment."""

    scope: DeploymentScope
    stack: str
    location: str
    template: Mapping[str, Any]
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    secrets: Mapping[str, Secret] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The same template has the same name, so that a deployment in progress is found and not started twice."""
        return f"{deployment_prefix(self.stack)}{self.digest[:10]}"

    @property
    def template_file(self) -> str:
        return f"{self.scope.value}.template.json"

    @property
    def parameter_file(self) -> str:
        return f"{self.scope.value}.parameters.json"

    @property
    def digest(self) -> str:
        text = json.dumps([self.template, self.parameters], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def resources(self) -> tuple[Mapping[str, Any], ...]:
        return tuple(self.template["resources"])


def deployment_prefix(stack: str) -> str:
    return f"hdictl-{stack}-"


@dataclass(frozen=True)
class Rendered:
    """Everything a stack needs on Azure. `group` goes into the resource group that `subscription` makes."""

    subscription: Deployment
    group: Deployment
    notes: tuple[str, ...] = ()  # what a person has to see to that no template can
