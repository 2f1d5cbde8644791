"""What HDInsight asks of a key of one's own: a vault that cannot lose it, and an identity that may use it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.fakes.azure.world import Resource, World

Finding = tuple[str, str]

_NEEDED = {"get", "wrapkey", "unwrapkey"}


def findings(world: World, body: Mapping[str, Any]) -> Iterator[Finding]:
    disk = body["properties"].get("diskEncryptionProperties") or {}
    stated = [bool(disk.get(key)) for key in ("vaultUri", "keyName", "keyVersion")]
    if any(stated) and not all(stated):
        yield "BadRequest", "vaultUri, keyName and keyVersion are given all or not at all."
    if not all(stated):
        return
    assigned = {each.lower() for each in (body.get("identity") or {}).get("userAssignedIdentities") or {}}
    identity = str(disk.get("msiResourceId"))
    if identity.lower() not in assigned:
        yield "BadRequest", f"The identity '{identity}' of the disk encryption is not assigned to the cluster."
        return
    vault = _vault(world, str(disk["vaultUri"]))
    if vault is None or not vault.properties.get("enableSoftDelete"):
        yield "BadRequest", f"The vault '{disk['vaultUri']}' was not found, or has no soft delete."
        return
    found = world.find(identity)
    if found is None or not may_use_keys(vault, str(found.properties["principalId"])):
        yield "BadRequest", f"The identity '{identity}' may not get, wrap and unwrap keys of '{vault.id.name}'."


def may_use_keys(vault: Resource, principal: str) -> bool:
    for policy in vault.properties.get("accessPolicies") or ():
        allowed = {str(each).lower() for each in policy["permissions"].get("keys") or ()}
        if policy["objectId"] == principal and (allowed >= _NEEDED or "all" in allowed):
            return True
    return False


def _vault(world: World, uri: str) -> Resource | None:
    name = uri.removeprefix("https://").split(".")[0].lower()
    vaults = world.of_type("Microsoft.KeyVault/vaults")
    return next((each for each in vaults if each.id.name.lower() == name and each.is_ready), None)
