"""Every resource without routes of its own: get, list, put, patch, delete by id."""

from __future__ import annotations

from typing import Any

from tests.fakes.azure.messages import Answer, Refused, Request
from tests.fakes.azure.names import ResourceId, parse_id
from tests.fakes.azure.replies import Promises
from tests.fakes.azure.routes import GROUP, SUBSCRIPTION, Routes
from tests.fakes.azure.secrets import without_secrets
from tests.fakes.azure.world import Resource, World


class Generic:
    def __init__(self, world: World, promises: Promises) -> None:
        self._world = world
        self._promises = promises

    def register(self, routes: Routes) -> None:
        """Last of all: these fit almost everything."""
        for scope in (GROUP, SUBSCRIPTION):
            operation = scope + "/providers/{namespace}/locations/{location}"
            routes.add("GET", operation + "/azureasyncoperations/{operation}", self._promises.status)
            routes.add("GET", operation + "/operationresults/{operation}", self._promises.result)
            routes.add("GET", scope + "/providers/{rest:path}", self.get)
            routes.add("PUT", scope + "/providers/{rest:path}", self.put)
            routes.add("PATCH", scope + "/providers/{rest:path}", self.patch)
            routes.add("DELETE", scope + "/providers/{rest:path}", self.delete)

    def get(self, request: Request) -> Answer:
        if _is_list(request):
            return self._list(request)
        if "group" in request.captured:
            self._world.group(request["group"])
        return Answer(200, self._shown(self._world.read(_id(request))))

    def put(self, request: Request) -> Answer:
        id = _id(request)
        if id.group:
            self._world.group(id.group)
        existed = self._world.find(id) is not None
        operation = self._world.put(id, request.body or {}, api_version=request.api_version)
        made = self._world.find(id)
        assert made is not None
        promised = self._promises.accepted(request, operation, _operations_of(id), 200 if existed else 201)
        headers = {} if operation.is_over else {"Azure-AsyncOperation": promised.headers["Azure-AsyncOperation"]}
        return Answer(promised.status, self._shown(made), headers)

    def patch(self, request: Request) -> Answer:
        found = self._world.read(_id(request))
        for key, value in (request.body or {}).items():
            found.body[key] = {**found.properties, **value} if key == "properties" else value
        self._world.note("update", found.id)
        return Answer(200, self._shown(found))

    def delete(self, request: Request) -> Answer:
        id = _id(request)
        found = self._world.find(id)
        if found is None:
            return Answer(204)
        self._world.kind(id).may_go(self._world, found)
        operation = self._world.operation()
        found.properties["provisioningState"] = "Deleting"

        def gone() -> None:
            self._world.remove(id)
            operation.succeed()

        self._world.clock.start([gone])
        return self._promises.accepted(request, operation, _operations_of(id))

    def _list(self, request: Request) -> Answer:
        if "group" in request.captured:
            self._world.group(request["group"])
        prefix = f"{request.path.rstrip('/')}/".lower()
        found = [
            each
            for id, each in self._world.resources.items()
            if id.startswith(prefix) and "/" not in id.removeprefix(prefix)
        ]
        if "group" not in request.captured:  # a type in the whole subscription
            found = self._world.of_type(request["rest"])
        return Answer(200, {"value": [self._shown(each) for each in found]})

    def _shown(self, resource: Resource) -> dict[str, Any]:
        shown: dict[str, Any] = without_secrets(self._world.kind(resource.id).shown(self._world, resource))
        return shown


def _is_list(request: Request) -> bool:
    """…/providers/Namespace/type: a name is missing at the end."""
    return len(request.path.rpartition("/providers/")[2].strip("/").split("/")) % 2 == 0


def _id(request: Request) -> ResourceId:
    try:
        return parse_id(request.path)
    except ValueError:
        raise Refused(404, "InvalidResourceType", f"'{request.path}' is not the id of a resource.") from None


def _operations_of(id: ResourceId) -> str:
    scope = "/".join(id.scope.split("/")[:3])
    return f"{scope}/providers/{id.type.split('/')[0]}/locations/westeurope"
