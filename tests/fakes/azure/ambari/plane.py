"""The Ambari of every cluster of a fake cloud, behind its gateway."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.fakes.azure.ambari.api import ROOT, AmbariApi, clusters
from tests.fakes.azure.ambari.world import AmbariWorld
from tests.fakes.azure.hdinsight.cluster import kind_of
from tests.fakes.azure.messages import Answer, Request

if TYPE_CHECKING:
    from tests.fakes.azure.cloud import FakeCloud
    from tests.fakes.azure.world import Resource

Takes = Callable[[str, str, str], bool]  # cluster, user, password


class AmbariPlane:
    """A data plane: `cloud.serve(plane)`.

    All clusters of a fake cloud share one address, so that the path alone says which one is meant.
    """

    def __init__(self, takes: Takes) -> None:
        self._takes = takes
        self._worlds: dict[str, AmbariWorld] = {}
        self._apis: dict[str, AmbariApi] = {}

    def of(self, cluster: str) -> AmbariWorld:
        return self._worlds[cluster]

    def add(self, world: AmbariWorld) -> AmbariWorld:
        self._worlds[world.cluster] = world
        self._apis[world.cluster] = AmbariApi(world)
        return world

    def __call__(self, request: Request) -> Answer | None:
        if not request.path.startswith("/api/v1"):
            return None
        user, password = credentials(request)
        mine = [name for name in self._worlds if self._takes(name, user, password)]
        if not mine:
            # The gateway's own page: no JSON.
            return Answer(401, None, {"WWW-Authenticate": 'Basic realm="HDInsight"'})
        if request.path.rstrip("/") == ROOT:
            return clusters(mine, request)
        asked = request.path.removeprefix(f"{ROOT}/").split("/")[0].lower()
        for name in mine:
            if name.lower() == asked:
                return self._apis[name].answer(request)
        return Answer(404, {"status": 404, "message": "The requested resource doesn't exist"})


def attach(cloud: FakeCloud) -> AmbariPlane:
    """Every cluster that comes to run in this cloud has an Ambari with its hosts."""
    plane = AmbariPlane(cloud.gateway_takes)
    cloud.serve(plane)
    cloud.on_created(lambda made: adopt(plane, made))
    cloud.on_resize(lambda grown, _: plane.of(grown.id.name).join(grown.properties["_hosts"]))
    return plane


def adopt(plane: AmbariPlane, cluster: Resource) -> AmbariWorld:
    return plane.add(AmbariWorld(cluster.id.name, cluster.properties["_hosts"], kind_of(cluster)))


def credentials(request: Request) -> tuple[str, str]:
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return "", ""
    user, _, password = base64.b64decode(given).decode().partition(":")
    return user, password
