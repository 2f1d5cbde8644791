"""What HDInsight asks of a cluster's storage and of the identity that reaches it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from tests.fakes.azure.names import ResourceId, region

if TYPE_CHECKING:
    from tests.fakes.azure.world import World

Finding = tuple[str, str]

STORAGE_BLOB_DATA_OWNER = "b7e6dc6d-f1e8-4753-8033-0f276bb0955b"


def findings(world: World, id: ResourceId, body: Mapping[str, Any]) -> Iterator[Finding]:
    properties = body["properties"]
    assigned = {each.lower() for each in (body.get("identity") or {}).get("userAssignedIdentities") or {}}
    for account in (properties.get("storageProfile") or {}).get("storageaccounts") or ():
        if not account.get("fileSystem") or not account.get("resourceId"):
            continue
        yield from _account(world, account, str(body.get("location")))
        yield from _shared(world, id, account)
        yield from _identity(world, str(account.get("msiResourceId")), str(account["resourceId"]), assigned)


def _account(world: World, account: Mapping[str, Any], location: str) -> Iterator[Finding]:
    found = world.find(str(account["resourceId"]))
    if found is None or not found.is_ready:
        yield "BadRequest", f"The storage account '{account['resourceId']}' was not found."
        return
    if not found.properties.get("isHnsEnabled"):
        yield "BadRequest", f"The storage account '{found.id.name}' has no hierarchical namespace."
    if region(str(found.body.get("location"))) != region(location):
        yield "BadRequest", f"The storage account '{found.id.name}' is in another region than the cluster."


def _shared(world: World, id: ResourceId, account: Mapping[str, Any]) -> Iterator[Finding]:
    mine = (str(account["name"]).lower(), account["fileSystem"])
    for other in world.of_type("Microsoft.HDInsight/clusters"):
        for theirs in (other.properties.get("storageProfile") or {}).get("storageaccounts") or ():
            if (str(theirs.get("name")).lower(), theirs.get("fileSystem")) == mine:
                yield "BadRequest", f"The file system '{account['fileSystem']}' is used by '{other.id.name}'."


def _identity(world: World, identity: str, account: str, assigned: set[str]) -> Iterator[Finding]:
    found = world.find(identity)
    if found is None or not found.is_ready or identity.lower() not in assigned:
        yield "BadRequest", f"The identity '{identity}' was not found or is not assigned to the cluster."
        return
    principal = found.properties["principalId"]
    for role in world.of_type("Microsoft.Authorization/roleAssignments"):
        covers = account.lower().startswith(role.id.scope.lower())
        is_owner = STORAGE_BLOB_DATA_OWNER in str(role.properties.get("roleDefinitionId"))
        if role.is_ready and covers and is_owner and role.properties.get("principalId") == principal:
            return
    message = f"The managed identity '{identity}' does not have the required permissions on the storage account."
    yield "StoragePermissionsBlockedForMsi", message
