"""Key Vault: secrets that a test puts in, for templates that refer to them and for SecretClient.

The values live here alone, because somebody must be able to read them; `dump` does not tell them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.fakes.azure.identity import Identity
from tests.fakes.azure.messages import Answer, Refused, Request
from tests.fakes.azure.names import TENANT_ID, made_up_guid
from tests.fakes.azure.routes import Routes
from tests.fakes.azure.world import World


class Vaults:
    def __init__(self, world: World, identity: Identity) -> None:
        self._world = world
        self._identity = identity
        self._secrets: dict[tuple[str, str], str] = {}
        self.denied: set[str] = set()  # vaults whose secrets the caller may not read

    def register(self, routes: Routes) -> None:
        routes.add("GET", "/vaults/{vault}/secrets/{secret}", self.get)
        routes.add("GET", "/vaults/{vault}/secrets/{secret}/{version}", self.get)

    def store(self, vault: str, name: str, value: str) -> None:
        self._secrets[vault.lower(), name.lower()] = value

    def get(self, request: Request) -> Answer:
        """Without a token the answer is a challenge that says where tokens are from: SecretClient asks twice."""
        if self._identity.resource_of(request) is None:
            challenge = (
                f'Bearer authorization="https://login.microsoftonline.com/{TENANT_ID}", '
                'resource="https://vault.azure.net"'
            )
            headers = {"WWW-Authenticate": challenge}
            raise Refused(401, "Unauthorized", "AKV10000: Request is missing a Bearer or PoP token.", headers=headers)
        vault, name = request["vault"], request["secret"]
        if vault.lower() in self.denied:
            message = f"Caller is not authorized to perform action on resource. Vault: {vault};location=westeurope"
            raise Refused(403, "Forbidden", message)
        value = self._secrets.get((vault.lower(), name.lower()))
        if value is None:
            message = f"A secret with (name/id) {name} was not found in this key vault."
            raise Refused(404, "SecretNotFound", message)
        version = made_up_guid(vault, name).replace("-", "")
        attributes = {"enabled": True, "created": 1760000000, "updated": 1760000000}
        # The id names the vault's own domain, as the real one does, and not the place it was read from.
        id = f"https://{vault}.vault.azure.net/secrets/{name}/{version}"
        return Answer(200, {"value": value, "id": id, "attributes": attributes})

    def resolve(self, parameter: str, reference: Mapping[str, Any]) -> str:
        """A parameter file's `reference`, as ARM reads it at the start of a deployment."""
        id = str((reference.get("keyVault") or {}).get("id"))
        name = str(reference.get("secretName"))
        vault = self._world.find(id)
        if vault is None:
            message = f"The specified KeyVault '{id}' could not be found (parameter '{parameter}')."
            raise Refused(400, "KeyVaultParameterReferenceNotFound", message)
        if not vault.properties.get("enabledForTemplateDeployment"):
            message = f"The vault '{vault.id.name}' is not enabled for template deployment (parameter '{parameter}')."
            raise Refused(400, "KeyVaultParameterReferenceAuthorizationFailed", message)
        value = self._secrets.get((vault.id.name.lower(), name.lower()))
        if value is None:
            message = f"The secret '{name}' of KeyVault parameter '{parameter}' cannot be retrieved from '{id}'."
            raise Refused(400, "KeyVaultParameterReferenceSecretRetrieveFailed", message)
        return value
