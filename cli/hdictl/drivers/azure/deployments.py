"""Deployments into the group: started and followed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import IO, Any

from hdictl.arm.deployment import Deployment, DeploymentScope, deployment_prefix
from hdictl.drivers.azure.error_body import innermost
from hdictl.drivers.azure.errors import present, translated
from hdictl.drivers.azure.secrets import secret_value
from hdictl.drivers.azure.subject import Subject, as_sent, to_json
from hdictl.drivers.azure.times import earlier
from hdictl.errors import CloudRejected
from hdictl.plan.cloud import CloudDeployment, CloudOperation
from hdictl.stack.place import Secret

# A secure parameter's value: a `SecretText`, or a stand-in where nothing is made.
SecretSource = Callable[[Secret, str], Any]


class Deployments(Subject):
    def deployments(self) -> tuple[CloudDeployment, ...]:
        prefix = deployment_prefix(self._stack)

        def ask() -> list[dict[str, Any]]:
            listed = self._clients.deployments.deployments.list_by_resource_group(self._group)
            return [each.as_dict() for each in listed if str(each.name).startswith(prefix)]

        found = present(ask, f"deployments of resource group `{self._group}`") or []
        newest_first = sorted(found, key=lambda each: str(_properties(each).get("timestamp") or ""), reverse=True)
        return tuple(_deployment(each) for each in newest_first)

    def deployment(self, name: str) -> CloudDeployment | None:
        body = present(
            lambda: self._clients.deployments.deployments.get(self._group, name, cls=as_sent), f"deployment `{name}`"
        )
        return None if body is None else _deployment(body)

    def operations(self, deployment: str) -> tuple[CloudOperation, ...]:
        def ask() -> list[dict[str, Any]]:
            listed = self._clients.deployments.deployment_operations.list(self._group, deployment)
            return [each.as_dict() for each in listed]

        found = present(ask, f"deployment `{deployment}`") or []
        # What has no resource is the deployment's own bookkeeping.
        return tuple(_operation(_properties(each)) for each in found if _properties(each).get("targetResource"))

    def require_secrets(self, deployment: Deployment) -> None:
        request_body(deployment, secret_value)

    def start(self, deployment: Deployment) -> None:
        where = f"deployment `{deployment.name}`"
        try:
            with translated(where):
                self._put(deployment)
        except CloudRejected as error:
            # The answer to the first PUT was lost, or somebody started the same template: either way it runs.
            if error.code != "DeploymentActive":
                raise

    def _put(self, deployment: Deployment) -> None:
        operations = self._clients.deployments.deployments
        if deployment.scope is DeploymentScope.SUBSCRIPTION:
            operations.begin_create_or_update_at_subscription_scope(
                deployment.name, request_body(deployment, secret_value), polling=False
            )
        else:
            operations.begin_create_or_update(
                self._group, deployment.name, request_body(deployment, secret_value), polling=False
            )


def request_body(deployment: Deployment, secret: SecretSource) -> IO[bytes]:
    secrets = {
        name: {"value": secret(source, f"secure parameter `{name}`")} for name, source in deployment.secrets.items()
    }
    body: dict[str, Any] = {
        "properties": {
            "mode": "Incremental",
            "template": deployment.template,
            "parameters": {**deployment.parameters, **secrets},
        }
    }
    if deployment.scope is DeploymentScope.SUBSCRIPTION:
        body["location"] = deployment.location
    return to_json(body)


def _properties(body: Mapping[str, Any]) -> Mapping[str, Any]:
    return body.get("properties") or {}


def _deployment(body: Mapping[str, Any]) -> CloudDeployment:
    properties = _properties(body)
    return CloudDeployment(
        str(body["name"]),
        str(properties.get("provisioningState") or "Unknown"),
        str(properties.get("correlationId") or ""),
        innermost(properties.get("error")),
    )


def _operation(properties: Mapping[str, Any]) -> CloudOperation:
    target = properties["targetResource"]
    return CloudOperation(
        str(target.get("resourceType") or ""),
        str(target.get("resourceName") or ""),
        str(properties.get("provisioningState") or "Unknown"),
        # Azure says when an operation was last heard of, and for how long it had run by then.
        earlier(str(properties.get("timestamp") or ""), str(properties.get("duration") or "")),
        innermost(properties.get("statusMessage")),
    )
