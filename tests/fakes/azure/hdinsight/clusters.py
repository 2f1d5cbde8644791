"""Clusters: read, list, make, tag, delete."""

from __future__ import annotations

from typing import Any

from tests.fakes.azure.hdinsight.cluster import TYPE
from tests.fakes.azure.messages import Answer, Refused, Request, not_found
from tests.fakes.azure.names import ResourceId
from tests.fakes.azure.replies import Promises
from tests.fakes.azure.routes import GROUP, SUBSCRIPTION, Routes
from tests.fakes.azure.world import Resource, World

CLUSTERS = GROUP + f"/providers/{TYPE}"
CLUSTER = CLUSTERS + "/{cluster}"
# What a cluster was made with by a preview of the API is not told by the versions before.
_LATER = {"outboundDependenciesManagedType": "2023-08-15-preview"}


def cluster_id(request: Request) -> ResourceId:
    return ResourceId(
        f"/subscriptions/{request['subscription']}/resourceGroups/{request['group']}", TYPE, (request["cluster"],)
    )


def living(world: World, request: Request) -> Resource:
    """The cluster of the request, at rest: HDInsight does one thing at a time."""
    cluster = world.find(cluster_id(request))
    if cluster is None:
        raise not_found(str(cluster_id(request)))
    if cluster.properties["clusterState"] != "Running" or cluster.state != "Succeeded":
        state = cluster.properties["clusterState"]
        raise Refused(409, "Conflict", f"The cluster '{cluster.id.name}' is in state '{state}' and takes no changes.")
    return cluster


class Clusters:
    def __init__(self, world: World, promises: Promises) -> None:
        self._world = world
        self._promises = promises

    def register(self, routes: Routes) -> None:
        routes.add("GET", SUBSCRIPTION + f"/providers/{TYPE}", self.list_all)
        routes.add("GET", CLUSTERS, self.list_group)
        routes.add("GET", CLUSTER, self.get)
        routes.add("PUT", CLUSTER, self.put)
        routes.add("PATCH", CLUSTER, self.patch)
        routes.add("DELETE", CLUSTER, self.delete)
        for under in ("", "/executeScriptActions", "/restartHosts", "/extensions/{extension}"):
            routes.add("GET", CLUSTER + under + "/azureasyncoperations/{operation}", self.status)
            routes.add("GET", CLUSTER + under + "/operationresults/{operation}", self._promises.result)

    def list_all(self, request: Request) -> Answer:
        return Answer(200, {"value": self._shown(self._world.of_type(TYPE), request)})

    def list_group(self, request: Request) -> Answer:
        self._world.group(request["group"])
        mine = [each for each in self._world.of_type(TYPE) if each.id.group.lower() == request["group"].lower()]
        return Answer(200, {"value": self._shown(mine, request)})

    def get(self, request: Request) -> Answer:
        self._world.group(request["group"])
        return Answer(200, self._show(self._world.read(cluster_id(request)), request))

    def put(self, request: Request) -> Answer:
        self._world.group(request["group"])
        id = cluster_id(request)
        operation = self._world.put(id, request.body, api_version=request.api_version)
        promised = self._promises.accepted(request, operation, str(id), 200)
        made = self._world.find(id)
        assert made is not None
        # No Location here [rec]: the client reads the cluster when the operation is over.
        kept = {name: value for name, value in promised.headers.items() if name != "Location"}
        return Answer(200, self._show(made, request), kept)

    def patch(self, request: Request) -> Answer:
        cluster = self._world.find(cluster_id(request))
        if cluster is None:
            raise not_found(str(cluster_id(request)))
        for key in ("tags", "identity"):
            if key in (request.body or {}):
                cluster.body[key] = request.body[key]
        self._world.note("update", cluster.id, "tags")
        return Answer(200, self._show(cluster, request))

    def delete(self, request: Request) -> Answer:
        id = cluster_id(request)
        cluster = self._world.find(id)
        if cluster is None:
            return Answer(204)
        operation = self._world.operation()
        if cluster.state != "Deleting":
            cluster.properties.update({"clusterState": "Deleting", "provisioningState": "Deleting"})

            def gone() -> None:
                self._world.remove(id)
                operation.succeed()

            self._world.clock.start([lambda: None, gone])
        return self._promises.accepted(request, operation, str(id))

    def status(self, request: Request) -> Answer:
        return self._promises.status(request)

    def _show(self, cluster: Resource, request: Request) -> dict[str, Any]:
        shown = self._world.kind(cluster.id).shown(self._world, cluster)
        network = shown["properties"].get("networkProperties") or {}
        for name, since in _LATER.items():
            if request.api_version < since:
                network.pop(name, None)
        return shown

    def _shown(self, clusters: list[Resource], request: Request) -> list[dict[str, Any]]:
        return [self._show(each, request) for each in visible(clusters)]


def visible(resources: list[Resource]) -> list[Resource]:
    """A list lags behind: what is fresh is not in the first ones."""
    seen = []
    for each in resources:
        if each.hidden_lists > 0:
            each.hidden_lists -= 1
        else:
            seen.append(each)
    return seen
