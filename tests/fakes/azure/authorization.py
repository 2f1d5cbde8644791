"""Role assignments: the principal has to be known, and a fresh one is not known everywhere at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tests.fakes.azure.kinds import Kind
from tests.fakes.azure.messages import Refused
from tests.fakes.azure.names import ResourceId

if TYPE_CHECKING:
    from tests.fakes.azure.world import Resource, World

IDENTITY = "Microsoft.ManagedIdentity/userAssignedIdentities"


class RoleAssignmentKind(Kind):
    plain = True
    pauses = 4  # roles take their time to be known; what needs one and does not wait for it fails

    def admit(self, world: World, id: ResourceId, body: Mapping[str, Any], existing: Resource | None) -> None:
        properties = body.get("properties") or {}
        principal = properties.get("principalId")
        identity = next((each for each in world.of_type(IDENTITY) if each.properties["principalId"] == principal), None)
        # Entra replicates slowly: without `principalType` a fresh identity is looked up, and is not there
        # (learn: role-assignments-template, "New service principal").
        if identity is None or properties.get("principalType") != "ServicePrincipal":
            message = f"Principal {principal} does not exist in the directory."
            raise Refused(400, "PrincipalNotFound", message)
        if "/providers/" in id.scope and world.find(id.scope) is None:
            raise Refused(404, "ResourceNotFound", f"The scope '{id.scope}' of the role assignment was not found.")
        if existing is None:
            self._refuse_twin(world, id, properties)

    def _refuse_twin(self, world: World, id: ResourceId, properties: Mapping[str, Any]) -> None:
        for other in world.of_type("Microsoft.Authorization/roleAssignments"):
            same = all(
                str(other.properties.get(key)).lower() == str(properties.get(key)).lower()
                for key in ("principalId", "roleDefinitionId")
            )
            if same and other.id.scope.lower() == id.scope.lower():
                raise Refused(409, "RoleAssignmentExists", "The role assignment already exists.")
