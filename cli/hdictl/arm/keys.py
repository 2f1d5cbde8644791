"""Keys of one's own for disks: vaults that the stack makes, and what identities may do in vaults that exist."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hdictl.arm.addresses import resource_id
from hdictl.arm.modules import Call
from hdictl.errors import UsageError
from hdictl.stack.clusters import Key
from hdictl.stack.model import Stack
from hdictl.stack.resource_names import Names


@dataclass(frozen=True)
class Vault:
    """A vault with the keys of clusters. `group` is None when it is in the stack's own group."""

    name: str
    group: str | None
    is_made: bool
    keys: tuple[str, ...]
    regions: tuple[str, ...]  # of the clusters that use it; an identity each


def vaults(stack: Stack) -> list[Vault]:
    used: dict[tuple[str, str], list[tuple[str, Key]]] = {}
    for cluster, key in cluster_keys(stack):
        group = other_group(stack, key.resource_group)
        used.setdefault((key.keyvault.lower(), (group or "").lower()), []).append((cluster, key))
    return [_vault(stack, uses) for _, uses in sorted(used.items())]


def cluster_keys(stack: Stack) -> Iterator[tuple[str, Key]]:
    for name, cluster in sorted(stack.clusters.items()):
        if cluster.encryption.key is not None:
            yield name, cluster.encryption.key


def other_group(stack: Stack, group: str | None) -> str | None:
    """A resource group, when it is not the stack's."""
    own = stack.azure.resource_group if stack.azure else ""
    return None if group is None or group.lower() == own.lower() else group


def _vault(stack: Stack, uses: list[tuple[str, Key]]) -> Vault:
    cluster, first = uses[0]
    group = other_group(stack, first.resource_group)
    made = tuple(sorted({key.name for _, key in uses if key.create}))
    if made and group is not None:
        raise UsageError(
            f"the vault `{first.keyvault}` would be made in `{group}`, and a stack makes things in its own group only",
            where=f"clusters.{cluster}.encryption.key",
            fix="leave out `resource_group`, or make vault and key yourself and leave out `create`",
        )
    regions = tuple(sorted({stack.location_of(name) or "" for name, _ in uses}))
    return Vault(first.keyvault, group, bool(made), made, regions)


def vault_calls(stack: Stack, names: Names) -> Iterator[Call]:
    for vault in vaults(stack):
        identities = [names.identity(region) for region in vault.regions]
        values: dict[str, Any] = {"vault": vault.name, "identities": identities}
        if vault.is_made:
            # HDInsight wants the key in the cluster's region; a vault for several regions has to choose one.
            place = {"location": vault.regions[0], "tags": names.tags()}
            yield Call("keyvault", {**values, **place, "keys": list(vault.keys)})
        elif vault.group is None:
            yield Call("keyvault-access", values)


def vault_of(key: Key) -> tuple[str, ...]:
    """What a cluster needs of its key's vault: the vault or the policy in it, and the key; those that are made."""
    return (
        resource_id("Microsoft.KeyVault/vaults", key.keyvault),
        resource_id("Microsoft.KeyVault/vaults/accessPolicies", key.keyvault, "add"),
        resource_id("Microsoft.KeyVault/vaults/keys", key.keyvault, key.name),
    )
