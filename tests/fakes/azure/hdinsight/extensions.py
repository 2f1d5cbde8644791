"""Monitoring: the Azure Monitor Agent and its two predecessors, each an extension of a cluster."""

from __future__ import annotations

from typing import Any

from tests.fakes.azure.hdinsight.clusters import CLUSTER, living
from tests.fakes.azure.messages import Answer, Refused, Request
from tests.fakes.azure.replies import Promises
from tests.fakes.azure.routes import Routes
from tests.fakes.azure.world import World

EXTENSION = CLUSTER + "/extensions/{extension}"
_SINCE = "2024-08-01-preview"  # of the agent


class Extensions:
    def __init__(self, world: World, promises: Promises) -> None:
        self._world = world
        self._promises = promises

    def register(self, routes: Routes) -> None:
        routes.add("PUT", EXTENSION, self.put)
        routes.add("GET", EXTENSION, self.get)
        routes.add("DELETE", EXTENSION, self.delete)

    def put(self, request: Request) -> Answer:
        cluster = living(self._world, request)
        name = self._known(request)
        sent = request.body or {}
        workspace = self._workspace(str(sent.get("workspaceId")))
        if not sent.get("primaryKey"):
            raise Refused(400, "BadRequest", "The key of the workspace is missing.")
        self._world.secrets_seen.remember(f"{cluster.id.name}/{name}", str(sent["primaryKey"]))
        operation = self._world.operation()
        on = {"clusterMonitoringEnabled": True, "workspaceId": workspace}

        def set_up() -> None:
            cluster.properties.setdefault("_extensions", {})[name] = on
            operation.succeed()

        self._world.note("monitor", cluster.id, name)
        self._world.clock.start([lambda: None, set_up])
        return self._promises.accepted(request, operation, f"{cluster.id}/extensions/{request['extension']}")

    def get(self, request: Request) -> Answer:
        """What is off is told with 200 and false."""
        cluster = living(self._world, request)
        known: dict[str, Any] = cluster.properties.get("_extensions") or {}
        return Answer(200, known.get(self._known(request), {"clusterMonitoringEnabled": False}))

    def delete(self, request: Request) -> Answer:
        cluster = living(self._world, request)
        name = self._known(request)
        operation = self._world.operation()

        def take_away() -> None:
            cluster.properties.get("_extensions", {}).pop(name, None)
            operation.succeed()

        self._world.note("monitor off", cluster.id, name)
        self._world.clock.start([take_away])
        return self._promises.accepted(request, operation, f"{cluster.id}/extensions/{request['extension']}")

    def _known(self, request: Request) -> str:
        name = request["extension"].lower()
        if name == "azuremonitoragent" and request.api_version < _SINCE:
            message = f"The extension '{request['extension']}' needs api-version {_SINCE} or later."
            raise Refused(400, "BadRequest", message)
        if name not in ("azuremonitoragent", "azuremonitor", "clustermonitoring"):
            raise Refused(404, "NotFound", f"The extension '{request['extension']}' is not known.")
        return name

    def _workspace(self, guid: str) -> str:
        """The GUID of a workspace, not its resource id."""
        for each in self._world.of_type("Microsoft.OperationalInsights/workspaces"):
            if each.properties.get("customerId") == guid:
                return guid
        raise Refused(400, "BadRequest", f"The workspace '{guid}' was not found.")
