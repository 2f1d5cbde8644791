"""Azure: what can be read, what can be tried without effect, and what can be changed.

Starting and waiting are separate: what was started goes on when the tool dies, and the next run finds it by its state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from hdictl.arm.deployment import Deployment
from hdictl.plan.cloud import (
    Capabilities,
    CloudCluster,
    CloudDeployment,
    CloudError,
    CloudOperation,
    CloudResource,
    Usage,
    WhatIf,
)


class CloudReader(Protocol):
    """Reads, and the service's own dry runs. Every method may raise PermissionMissing."""

    def group_tags(self) -> Mapping[str, str] | None:
        """Tags of the resource group; None when there is no such group."""

    def cluster(self, name: str) -> CloudCluster | None: ...

    def resource(self, id: str, type: str, api_version: str) -> CloudResource | None:
        """One resource with its body; None when it does not exist."""

    def tagged(self) -> tuple[CloudResource, ...]:
        """Everything in the group that carries the stack's tag, without bodies."""

    def deployments(self) -> tuple[CloudDeployment, ...]:
        """This stack's deployments in the group, the newest first."""

    def deployment(self, name: str) -> CloudDeployment | None: ...

    def operations(self, deployment: str) -> tuple[CloudOperation, ...]: ...

    def what_if(self, deployment: Deployment) -> tuple[WhatIf, ...]: ...

    def validate(self, deployment: Deployment) -> tuple[CloudError, ...]: ...

    def validate_cluster(self, location: str, name: str, body: Mapping[str, Any]) -> tuple[CloudError, ...]:
        """HDInsight's validateCreateRequest. `body` is the resource as in the resolved template."""

    def name_trouble(self, location: str, name: str) -> str | None:
        """Why the name of a new cluster cannot be had; None when it can."""

    def usages(self, location: str) -> Mapping[str, Usage]:
        """`cores` and others that HDInsight counts in a region."""

    def capabilities(self, location: str) -> Capabilities: ...

    def free_addresses(self, vnet_id: str) -> Mapping[str, int]:
        """Subnet name → addresses that nobody uses."""

    def monitoring(self, cluster: str) -> str | None:
        """The workspace (its GUID) that the Azure Monitor Agent of a cluster sends to; None when it is off."""

    def script_runs(self, cluster: str) -> tuple[ScriptRun, ...]:
        """Script actions that were run, the newest first."""

    def script_output(self, cluster: str, run: int) -> str: ...


class Operation(Protocol):
    """Something that was started and takes a while."""

    def wait(self, seconds: float) -> bool:
        """Wait no longer than this; True when it ended well. Raises CloudRejected when it ended badly."""


@dataclass(frozen=True)
class ScriptRun:
    id: int
    name: str
    status: str
    started: str
    ended: str


@dataclass(frozen=True)
class ScriptAction:
    name: str
    uri: str
    parameters: str
    roles: tuple[str, ...]  # headnode, workernode, zookeepernode


class Cloud(CloudReader, Protocol):
    """Also changes things. Each method starts the work and returns at once."""

    def make_group(self, location: str, tags: Mapping[str, str]) -> None: ...

    def require_secrets(self, deployment: Deployment) -> None:
        """Raises SecretMissing when `start` would not find one: before anything is deleted to make room."""

    def start(self, deployment: Deployment) -> None:
        """Start a deployment into the group. Secrets that no vault holds are looked up and sent, never kept."""

    def resize(self, cluster: str, workers: int) -> Operation: ...

    def autoscale(self, cluster: str, autoscale: Mapping[str, Any] | None) -> Operation:
        """The `autoscale` of a worker role in the service's own words; None switches it off."""

    def tag(self, cluster: str, tags: Mapping[str, str]) -> None:
        """All tags of a cluster; those that are not named are taken away."""

    def gateway(self, cluster: str, settings: Mapping[str, Any]) -> Operation:
        """updateGatewaySettings: user and password, or Entra users."""

    def rotate_key(self, cluster: str, vault_uri: str, key: str, version: str) -> Operation: ...

    def monitor(self, cluster: str, workspace_id: str | None) -> Operation:
        """Switch the Azure Monitor Agent on, to a workspace by its resource id, or off."""

    def run_scripts(self, cluster: str, scripts: Sequence[ScriptAction], *, persist: bool) -> Operation: ...

    def delete(self, resource: CloudResource) -> Operation: ...
