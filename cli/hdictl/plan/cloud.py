"""What was seen on Azure, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hdictl.errors import NotRunning

CLUSTER_TYPE = "Microsoft.HDInsight/clusters"

# States in which HDInsight is at work on a cluster; a change has to wait. `clusterState` has many names for it.
_AT_REST = {"running", "operational", "error", "unknown", "timedout"}


@dataclass(frozen=True)
class CloudCluster:
    """An HDInsight cluster. `body` is what the service returned, with the service's own names."""

    name: str
    id: str
    body: Mapping[str, Any]

    @property
    def properties(self) -> Mapping[str, Any]:
        return self.body.get("properties") or {}

    @property
    def state(self) -> str:
        return str(self.properties.get("clusterState") or "Unknown")

    @property
    def provisioning(self) -> str:
        return str(self.properties.get("provisioningState") or "Unknown")

    @property
    def is_running(self) -> bool:
        return self.state.lower() in ("running", "operational") and self.provisioning.lower() == "succeeded"

    @property
    def is_failed(self) -> bool:
        return self.state.lower() == "error" or self.provisioning.lower() in ("failed", "canceled")

    @property
    def is_busy(self) -> bool:
        return not self.is_failed and (
            self.state.lower() not in _AT_REST or self.provisioning.lower() in ("inprogress", "deleting")
        )

    @property
    def is_leaving(self) -> bool:
        return "deleting" in (self.state.lower(), self.provisioning.lower())

    @property
    def tags(self) -> Mapping[str, str]:
        return self.body.get("tags") or {}

    @property
    def location(self) -> str:
        return str(self.body.get("location") or "").replace(" ", "").lower()

    @property
    def endpoints(self) -> Mapping[str, tuple[str, int]]:
        """HTTPS, SSH, HTTPS-INTERNAL, … → host and port."""
        listed = self.properties.get("connectivityEndpoints") or ()
        return {each["name"]: (str(each.get("location")), int(each.get("port") or 443)) for each in listed}

    @property
    def errors(self) -> tuple[tuple[str, str], ...]:
        return tuple((str(e.get("code")), str(e.get("message"))) for e in self.properties.get("errors") or ())

    def role(self, name: str) -> Mapping[str, Any] | None:
        roles = (self.properties.get("computeProfile") or {}).get("roles") or ()
        return next((role for role in roles if str(role.get("name")).lower() == name), None)

    @property
    def workers(self) -> int:
        return int((self.role("workernode") or {}).get("targetInstanceCount") or 0)


def present(name: str, found: CloudCluster | None) -> CloudCluster:
    """A cluster that a command needs to be there."""
    if found is None:
        raise NotRunning(f"there is no cluster `{name}` on Azure", fix="make it: hdictl apply --target azure")
    return found


def is_open(value: Any) -> bool:
    """Is this an expression of ARM's, whose value only the deployment knows?"""
    return isinstance(value, str) and value.startswith("[") and value.endswith("]")


def is_cluster(type: str) -> bool:
    return type.lower() == CLUSTER_TYPE.lower()


@dataclass(frozen=True)
class CloudResource:
    """Any other resource. `body` is None when it was only listed, not read."""

    id: str
    type: str  # Microsoft.Network/virtualNetworks
    name: str
    tags: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class CloudDeployment:
    name: str
    state: str  # Accepted, Running, Succeeded, Failed, Canceled
    correlation: str = ""
    error: CloudError | None = None

    @property
    def is_active(self) -> bool:
        return self.state.lower() not in ("succeeded", "failed", "canceled", "deleted")


@dataclass(frozen=True)
class CloudOperation:
    """One resource of a deployment in progress."""

    type: str
    name: str
    state: str  # Running, Succeeded, Failed
    started: str = ""
    error: CloudError | None = None


@dataclass(frozen=True)
class CloudError:
    """Azure wraps errors in errors; this is the innermost, which says what is wrong."""

    code: str
    message: str
    target: str = ""


@dataclass(frozen=True)
class Usage:
    current: int
    limit: int

    @property
    def free(self) -> int:
        return self.limit - self.current


@dataclass(frozen=True)
class Capabilities:
    """What HDInsight offers in a region. Empty: the service did not say."""

    versions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # kafka → ("5.1", …)
    sizes: frozenset[str] = frozenset()  # lower case; of any role


@dataclass(frozen=True)
class WhatIf:
    """One difference that the server itself expects."""

    action: str  # Create, Modify, Delete, Deploy, Ignore, NoChange, Unsupported
    id: str
    paths: tuple[str, ...] = ()  # of the properties that would change
