"""Storage: an account a region with a file system a cluster, and the identity by which clusters reach it."""

from __future__ import annotations

from collections.abc import Iterator

from hdictl.arm.addresses import address, resource_id
from hdictl.arm.modules import Call
from hdictl.stack.model import Stack
from hdictl.stack.place import Storage
from hdictl.stack.resource_names import Names


def cluster_regions(stack: Stack) -> list[str]:
    return sorted({stack.location_of(key) or "" for key in stack.clusters})


def storage_calls(stack: Stack, names: Names) -> Iterator[Call]:
    for region in cluster_regions(stack):
        here = [key for key in stack.clusters if stack.location_of(key) == region]
        account = names.storage(region)
        yield Call(
            "storage",
            {
                "location": region,
                "tags": names.tags(),
                "account": account,
                "replication": stack.storage.get(region, Storage()).replication,
                "fileSystems": sorted(names.file_system(key) for key in here),
            },
        )
        yield Call(
            "identity",
            {
                "location": region,
                "tags": names.tags(),
                "identity": names.identity(region),
                "storageAccount": account,
                "roleAssignment": names.role_assignment(region),
            },
        )


def storage_of(names: Names, region: str, cluster: str) -> tuple[str, ...]:
    """What a cluster needs of its storage and nowhere names: its file system, and the identity's role."""
    account = names.storage(region)
    role = {
        "type": "Microsoft.Authorization/roleAssignments",
        "name": names.role_assignment(region),
        "scope": resource_id("Microsoft.Storage/storageAccounts", account),
    }
    containers = "Microsoft.Storage/storageAccounts/blobServices/containers"
    return resource_id(containers, account, "default", names.file_system(cluster)), address(role)
