"""What a type of resource is to the fake: what it refuses, what the service adds, and how it comes to be."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from tests.fakes.azure.clock import Step
from tests.fakes.azure.names import TENANT_ID, ResourceId, made_up_guid

if TYPE_CHECKING:
    from tests.fakes.azure.world import Breakage, Operation, Resource, World


class Kind:
    """Any resource that needs no more than to be remembered."""

    # Neither state nor location is told of these.
    plain: bool = False
    making: str = "Creating"
    pauses: int = 0  # steps before it is there

    def admit(self, world: World, id: ResourceId, body: Mapping[str, Any], existing: Resource | None) -> None:
        """Raise `Refused` for what the service refuses at once."""

    def made(self, world: World, id: ResourceId, body: Mapping[str, Any]) -> dict[str, Any]:
        """The body with what the service adds to it."""
        kept = {key: value for key, value in body.items() if key not in _TEMPLATE_ONLY}
        kept = copy.deepcopy(kept)
        kept["properties"] = {**(kept.get("properties") or {}), **self.added(world, id)}
        if not self.plain:
            kept["properties"]["provisioningState"] = self.making
        return kept

    def added(self, world: World, id: ResourceId) -> dict[str, Any]:
        """Properties that only the service knows."""
        return {}

    def put_again(self, world: World, existing: Resource, body: Mapping[str, Any]) -> None:
        again = self.made(world, existing.id, body)
        if not self.plain:
            again["properties"]["provisioningState"] = "Succeeded"
        existing.body = again

    def steps(
        self, world: World, resource: Resource, operation: Operation, breakage: Breakage | None
    ) -> Iterable[Step]:
        def finish() -> None:
            if breakage is not None:
                del world.resources[str(resource.id).lower()]
                world.note("failed", resource.id, breakage.code)
                operation.fail({"code": breakage.code, "message": breakage.message})
                return
            if not self.plain:
                resource.properties["provisioningState"] = "Succeeded"
            resource.is_ready = True
            operation.succeed()

        return [*([lambda: None] * self.pauses), finish]

    def shown(self, world: World, resource: Resource) -> dict[str, Any]:
        """What a GET answers."""
        return {
            "id": str(resource.id),
            "name": resource.id.name,
            "type": resource.id.type,
            **copy.deepcopy(resource.body),
        }

    def may_go(self, world: World, resource: Resource) -> None:
        """Raise `Refused` when it cannot be deleted."""


_TEMPLATE_ONLY = {"type", "name", "apiVersion", "dependsOn", "scope", "condition", "copy", "comments", "resources"}


class IdentityKind(Kind):
    plain = True

    def added(self, world: World, id: ResourceId) -> dict[str, Any]:
        return {
            "tenantId": TENANT_ID,
            "principalId": made_up_guid(str(id), "principal"),
            "clientId": made_up_guid(str(id), "client"),
        }


class StorageKind(Kind):
    def added(self, world: World, id: ResourceId) -> dict[str, Any]:
        hosts = {service: f"https://{id.name}.{service}.core.windows.net/" for service in ("blob", "dfs", "queue")}
        return {"primaryEndpoints": hosts}


class VaultKind(Kind):
    def added(self, world: World, id: ResourceId) -> dict[str, Any]:
        return {"vaultUri": f"https://{id.name}.vault.azure.net/"}


class AccessPolicyKind(Kind):
    """`vaults/NAME/accessPolicies/add`: what is put is added to the vault's own list."""

    plain = True
    pauses = 2

    def steps(
        self, world: World, resource: Resource, operation: Operation, breakage: Breakage | None
    ) -> Iterable[Step]:
        *pauses, finish = super().steps(world, resource, operation, breakage)

        def grant() -> None:
            finish()
            if breakage is None:
                _let_in(world, resource)

        return [*pauses, grant]

    def put_again(self, world: World, existing: Resource, body: Mapping[str, Any]) -> None:
        super().put_again(world, existing, body)
        _let_in(world, existing)


def _let_in(world: World, added: Resource) -> None:
    vault = world.find(added.id.parent) if added.id.parent is not None else None
    if vault is None:
        return
    policies = added.properties.get("accessPolicies") or []
    replaced = {policy["objectId"] for policy in policies}
    kept = [each for each in vault.properties.get("accessPolicies") or () if each["objectId"] not in replaced]
    vault.properties["accessPolicies"] = [*kept, *policies]


class KeyKind(Kind):
    plain = True

    def added(self, world: World, id: ResourceId) -> dict[str, Any]:
        uri = f"https://{id.names[0]}.vault.azure.net/keys/{id.name}"
        return {"keyUri": uri, "keyUriWithVersion": f"{uri}/{made_up_guid(str(id), 'version').replace('-', '')}"}


class WorkspaceKind(Kind):
    def added(self, world: World, id: ResourceId) -> dict[str, Any]:
        return {"customerId": made_up_guid(str(id), "customer")}


class PlainKind(Kind):
    plain = True
