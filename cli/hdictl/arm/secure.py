"""Secure parameters of a template: which there are, and where their values come from. Never the values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from hdictl.arm.evaluate import Deferred, Place
from hdictl.arm.expression import Call, Literal
from hdictl.errors import UsageError
from hdictl.stack.model import Stack
from hdictl.stack.place import Secret

GATEWAY = "gatewayPassword"
SSH = "sshPassword"


def domain_parameter(cluster: str) -> str:
    """Names of parameters are identifiers: `ingest-north` → ingestNorthDomainPassword."""
    first, *rest = re.split(r"[^A-Za-z0-9]+", cluster)
    return first + "".join(word[:1].upper() + word[1:] for word in rest) + "DomainPassword"


def parameter(name: str) -> Deferred:
    return Deferred(Call("parameters", (Literal(name),)))


def secure_parameters(stack: Stack, clusters: Iterable[str]) -> dict[str, Secret]:
    """The secrets that making these clusters takes."""
    wanted: dict[str, Secret] = {}
    for key in clusters:
        cluster = stack.clusters[key]
        if not cluster.entra_users:
            wanted[GATEWAY] = _needed(stack.secrets.gateway, "gateway", "the gateway needs a password")
        ssh = stack.secrets.ssh
        if ssh is None or ssh.public_key_file is None:
            wanted[SSH] = _needed(ssh.password if ssh else None, "ssh", "SSH needs a key or a password")
        if cluster.security is not None:
            wanted[domain_parameter(key)] = cluster.security.password
    return wanted


def _needed(secret: Secret | None, name: str, why: str) -> Secret:
    if secret is None:
        fix = {
            "gateway": "add `gateway: {keyvault: …, name: …}` or `gateway: {env: …}` under secrets, or Entra users",
            "ssh": "add `ssh: {public_key_file: …}` under secrets",
        }[name]
        raise UsageError(why, where=f"secrets.{name}", fix=fix)
    return secret


def vault_id(stack: Stack, secret: Secret) -> str | None:
    """The id of the vault that holds a secret; None when no vault does."""
    if stack.azure is None or secret.keyvault is None:
        return None
    place = Place(stack.azure.subscription, secret.resource_group or stack.azure.resource_group)
    return f"{place.group_id}/providers/Microsoft.KeyVault/vaults/{secret.keyvault}"


def references(stack: Stack, secrets: Mapping[str, Secret]) -> dict[str, dict[str, Any]]:
    """What the parameter file says: for each secret that a vault holds, where; Azure fetches it itself."""
    found: dict[str, dict[str, Any]] = {}
    for name, secret in sorted(secrets.items()):
        id = vault_id(stack, secret)
        if id is not None:
            found[name] = {"reference": {"keyVault": {"id": id}, "secretName": secret.name}}
    return found
