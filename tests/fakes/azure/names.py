"""Ids, and values that the real service would make up: here the same every time."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass

SUBSCRIPTION_ID = "5f3c1d2e-0000-4000-8000-00000000c10d"
TENANT_ID = "5f3c1d2e-0000-4000-8000-000000007e7a"

# The service answers with the display form of a region ("South Central US" in azure-cli's recordings).
_DISPLAY = {
    "westeurope": "West Europe",
    "northeurope": "North Europe",
    "eastus": "East US",
    "eastus2": "East US 2",
    "westus": "West US",
    "westus2": "West US 2",
    "westus3": "West US 3",
    "centralus": "Central US",
    "southcentralus": "South Central US",
    "northcentralus": "North Central US",
    "uksouth": "UK South",
    "francecentral": "France Central",
    "germanywestcentral": "Germany West Central",
    "swedencentral": "Sweden Central",
    "southeastasia": "Southeast Asia",
    "eastasia": "East Asia",
    "japaneast": "Japan East",
    "australiaeast": "Australia East",
}


def display_location(location: str) -> str:
    return _DISPLAY.get(region(location), location)


def region(location: str) -> str:
    return location.replace(" ", "").lower()


def made_up_guid(*about: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, "/".join(about).lower()))


@dataclass(frozen=True)
class ResourceId:
    """An id taken apart. `scope` is what an extension resource (a role assignment) is attached to."""

    scope: str  # /subscriptions/S/resourceGroups/G, or the id of the resource that this one extends
    type: str  # Microsoft.Network/virtualNetworks/subnets
    names: tuple[str, ...]

    def __str__(self) -> str:
        namespace, *types = self.type.split("/")
        pairs = "/".join(f"{kind}/{name}" for kind, name in zip(types, self.names, strict=True))
        return f"{self.scope}/providers/{namespace}/{pairs}"

    @property
    def name(self) -> str:
        return self.names[-1]

    @property
    def full_name(self) -> str:
        return "/".join(self.names)

    @property
    def group(self) -> str:
        match = re.match(r"/subscriptions/[^/]+/resourceGroups/([^/]+)", self.scope, re.IGNORECASE)
        return match[1] if match else ""

    @property
    def parent(self) -> ResourceId | None:
        return ResourceId(self.scope, self.type.rpartition("/")[0], self.names[:-1]) if len(self.names) > 1 else None

    def child(self, type: str, name: str) -> ResourceId:
        return ResourceId(self.scope, f"{self.type}/{type}", (*self.names, name))


def parse_id(text: str) -> ResourceId:
    """The last `/providers/` is the resource's own: what stands before it is the scope. Raises ValueError."""
    scope, mark, rest = text.rstrip("/").rpartition("/providers/")
    parts = rest.split("/")
    if not mark or len(parts) < 3 or len(parts) % 2 == 0:
        raise ValueError(f"`{text}` is not the id of a resource")
    return ResourceId(scope, "/".join([parts[0], *parts[1::2]]), tuple(parts[2::2]))
