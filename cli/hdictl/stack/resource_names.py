"""What everything is called on Azure: derived from the stack, the same on every machine and every day."""

from __future__ import annotations

import hashlib
import re
import uuid
from dataclasses import dataclass

from hdictl.stack.model import Stack

STACK_TAG = "hdictl-stack"


@dataclass(frozen=True)
class Names:
    stack: Stack

    def vnet(self, region: str) -> str:
        return f"{self.stack.stack}-{region}-vnet"

    def nsg(self, region: str, subnet: str) -> str:
        return f"{self.stack.stack}-{region}-{subnet}-nsg"

    def nat(self, region: str) -> str:
        return f"{self.stack.stack}-{region}-nat"

    def public_ip(self, region: str) -> str:
        return f"{self.stack.stack}-{region}-nat-ip"

    def route_table(self, region: str) -> str:
        """Not ours: where routes of one's own lead out, it is there before."""
        return f"{self.stack.stack}-{region}-routes"

    def peering(self, other_region: str) -> str:
        return f"to-{other_region}"

    def identity(self, region: str) -> str:
        return f"{self.stack.stack}-{region}-id"

    def workspace(self, region: str) -> str:
        named = self.stack.monitor.workspace if self.stack.monitor else "new"
        return f"{self.stack.stack}-{region}-logs" if named == "new" else named

    def action_group(self) -> str:
        return f"{self.stack.stack}-alerts"

    def storage(self, region: str) -> str:
        """Unique in the world, 3–24 lower-case letters and digits."""
        stated = self.stack.storage.get(region)
        if stated is not None and stated.account is not None:
            return stated.account
        digest = hashlib.sha256(f"{self._whose}/{self.stack.stack}/{region}".encode()).hexdigest()[:8]
        return re.sub(r"[^a-z0-9]", "", self.stack.stack.lower())[:14] + digest

    def file_system(self, cluster: str) -> str:
        return self.stack.azure_name(cluster).lower()

    def tags(self, cluster: str | None = None) -> dict[str, str]:
        """The stack's tags, a cluster's own on top, and the one that says whose it is."""
        general = self.stack.azure.tags if self.stack.azure else {}
        own = self.stack.clusters[cluster].tags if cluster is not None else {}
        return dict(sorted({**general, **own, STACK_TAG: self.stack.stack}.items()))

    def role_assignment(self, region: str) -> str:
        """A GUID that is the same whenever the same identity is given the same role on the same account."""
        said = f"{self._whose}/{self.identity(region)}/storage-blob-data-owner/{self.storage(region)}"
        return str(uuid.uuid5(uuid.NAMESPACE_URL, said.lower()))

    @property
    def _whose(self) -> str:
        """Azure does not mind the case of either, and neither may what derives from them."""
        azure = self.stack.azure
        return f"{azure.subscription}/{azure.resource_group}".lower() if azure else ""
