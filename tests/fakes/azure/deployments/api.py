"""Deployments at both scopes: put, get, list, delete, cancel, validate, what-if, operations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.fakes.azure.deployments.preview import what_if
from tests.fakes.azure.deployments.record import DeploymentRecord, Part
from tests.fakes.azure.deployments.template import Worked, place_of, work_out
from tests.fakes.azure.messages import Answer, Refused, Request
from tests.fakes.azure.names import SUBSCRIPTION_ID, made_up_guid
from tests.fakes.azure.replies import Promises
from tests.fakes.azure.routes import GROUP, SUBSCRIPTION, Routes
from tests.fakes.azure.vault import Vaults
from tests.fakes.azure.world import World

DEPLOYMENTS = "/providers/Microsoft.Resources/deployments"


class Deployments:
    def __init__(self, world: World, promises: Promises, vaults: Vaults) -> None:
        self._world = world
        self._promises = promises
        self._vaults = vaults

    def register(self, routes: Routes) -> None:
        for scope in (GROUP, SUBSCRIPTION):
            one = scope + DEPLOYMENTS + "/{deployment}"
            routes.add("GET", scope + DEPLOYMENTS, self.list)
            routes.add("PUT", one, self.put)
            routes.add("GET", one, self.get)
            routes.add("HEAD", one, self.head)
            routes.add("DELETE", one, self.delete)
            routes.add("POST", one + "/cancel", self.cancel)
            routes.add("POST", one + "/validate", self.validate)
            routes.add("POST", one + "/whatIf", self.what_if)
            routes.add("GET", one + "/operationStatuses/{operation}", self.status)
            routes.add("GET", one + "/operationresults/{operation}", self._promises.result)
            routes.add("GET", one + "/operations", self.operations)
            routes.add("GET", one + "/operations/{operation}", self.operation)
        # The client asks for operations of a group's deployment without the provider's name.
        routes.add("GET", GROUP + "/deployments/{deployment}/operations", self.operations)
        routes.add("GET", GROUP + "/deployments/{deployment}/operations/{operation}", self.operation)

    def put(self, request: Request) -> Answer:
        id = self._id(request)
        known = self._world.deployments.get(id.lower())
        if known is not None and not known.is_over:
            raise Refused(
                409,
                "DeploymentActive",
                f"Unable to edit or replace deployment '{known.name}': previous deployment from "
                f"'{known.started}' is still active (expiration time is after a week).",
            )
        worked = self._work_out(request)
        record = DeploymentRecord(
            self._world,
            id,
            request["deployment"],
            worked,
            location=request.body.get("location"),
            tags=request.body.get("tags"),
        )
        for name, value in worked.secure.items():
            self._world.secrets_seen.remember(name, value)
        self._world.deployments.pop(id.lower(), None)  # the newest stands last
        self._world.deployments[id.lower()] = record
        record.begin()
        operation = made_up_guid(id, record.started)
        link = f"{self._world.endpoint}{id}/operationStatuses/{operation}?api-version={request.api_version}"
        return Answer(201 if known is None else 200, shown(record), {"Azure-AsyncOperation": link})

    def get(self, request: Request) -> Answer:
        return Answer(200, shown(self._find(request)))

    def head(self, request: Request) -> Answer:
        return Answer(204 if self._id(request).lower() in self._world.deployments else 404)

    def list(self, request: Request) -> Answer:
        if "group" in request.captured:
            self._world.group(request["group"])
        prefix = f"{_scope(request)}{DEPLOYMENTS}/".lower()
        newest_first = reversed(self._world.deployments.items())
        return Answer(200, {"value": [shown(each) for id, each in newest_first if id.startswith(prefix)]})

    def delete(self, request: Request) -> Answer:
        record = self._find(request)
        if not record.is_over:
            raise Refused(409, "DeploymentActive", f"The deployment '{record.name}' is active.")
        del self._world.deployments[record.id.lower()]
        return Answer(204)

    def cancel(self, request: Request) -> Answer:
        record = self._find(request)
        if record.is_over:
            message = f"The deployment '{record.name}' cannot be canceled: it is in state '{record.state}'."
            raise Refused(409, "DeploymentCannotBeCancelled", message)
        record.cancel()
        return Answer(204)

    def status(self, request: Request) -> Answer:
        record = self._find(request)
        body: dict[str, Any] = {"status": record.state}
        if record.error is not None:
            body["error"] = record.error
        return Answer(200, body)

    def validate(self, request: Request) -> Answer:
        """Errors are told with status 400, in the shape of a result."""
        try:
            worked = self._work_out(request)
        except Refused as refused:
            return refused.answer
        return Answer(
            200,
            {
                "properties": {
                    "provisioningState": "Succeeded",
                    "mode": "Incremental",
                    "parameters": dict(worked.parameters),
                    "validatedResources": [{"id": each.id} for each in worked.resources],
                },
            },
        )

    def what_if(self, request: Request) -> Answer:
        worked = self._work_out(request)
        operation = self._world.operation()
        result = {"status": "Succeeded", "properties": {"changes": what_if(self._world, worked)}}
        self._world.clock.start([lambda: operation.succeed(result)])
        location = f"{self._world.endpoint}{self._id(request)}/operationresults/{operation.id}"
        return Answer(202, None, {"Location": f"{location}?api-version={request.api_version}"})

    def operations(self, request: Request) -> Answer:
        record = self._find(request)
        return Answer(200, {"value": [_operation(record, part) for part in record.parts if part.state != "Waiting"]})

    def operation(self, request: Request) -> Answer:
        record = self._find(request)
        for part in record.parts:
            if part.operation_id == request["operation"]:
                return Answer(200, _operation(record, part))
        raise Refused(404, "DeploymentOperationNotFound", f"Operation '{request['operation']}' could not be found.")

    def _work_out(self, request: Request) -> Worked:
        group = request.captured.get("group", "")
        location = self._world.group(group).location if group else str(request.body.get("location", ""))
        if not group and not location:
            message = "The 'location' property must be specified for a deployment at subscription scope."
            raise Refused(400, "LocationRequired", message)
        properties = request.body.get("properties") or {}
        return work_out(properties, place_of(SUBSCRIPTION_ID, group, location), self._vaults)

    def _find(self, request: Request) -> DeploymentRecord:
        found = self._world.deployments.get(self._id(request).lower())
        if found is None:
            message = f"Deployment '{request['deployment']}' could not be found."
            raise Refused(404, "DeploymentNotFound", message)
        return found

    def _id(self, request: Request) -> str:
        return f"{_scope(request)}{DEPLOYMENTS}/{request['deployment']}"


def _scope(request: Request) -> str:
    group = request.captured.get("group")
    return f"/subscriptions/{request['subscription']}" + (f"/resourceGroups/{group}" if group else "")


def shown(record: DeploymentRecord) -> dict[str, Any]:
    properties: dict[str, Any] = {
        "provisioningState": record.state,
        "correlationId": made_up_guid(record.id, record.started),
        "timestamp": record.started,
        "mode": "Incremental",
        "parameters": dict(record.worked.parameters),
        "outputs": record.outputs,
    }
    if record.error is not None:
        properties["error"] = record.error
    if record.state == "Succeeded":
        properties["outputResources"] = [{"id": part.wanted.id} for part in record.parts]
    found: dict[str, Any] = {
        "id": record.id,
        "name": record.name,
        "type": "Microsoft.Resources/deployments",
        "properties": properties,
    }
    found |= {"location": record.location} if record.location else {}
    return found | ({"tags": dict(record.tags)} if record.tags else {})


def _operation(record: DeploymentRecord, part: Part) -> Mapping[str, Any]:
    properties: dict[str, Any] = {
        "provisioningOperation": "Create",
        "provisioningState": part.state,
        "timestamp": part.started,
        "duration": "PT1S",
        "serviceRequestId": made_up_guid(part.wanted.id),
        "statusCode": "Conflict" if part.state == "Failed" else "OK",
        "targetResource": {
            "id": part.wanted.id,
            "resourceType": part.wanted.type,
            "resourceName": part.wanted.name,
        },
    }
    if part.error is not None:
        properties["statusMessage"] = {"status": "Failed", "error": part.error}
    id = f"{record.id}/operations/{part.operation_id}"
    return {"id": id, "operationId": part.operation_id, "properties": properties}
