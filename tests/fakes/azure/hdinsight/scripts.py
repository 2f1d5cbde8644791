"""Script actions: run on a cluster, remembered in its history, kept for new nodes when that was asked for."""

from __future__ import annotations

from typing import Any

from tests.fakes.azure.hdinsight.clusters import CLUSTER, cluster_id, living
from tests.fakes.azure.messages import Answer, Refused, Request, not_found
from tests.fakes.azure.names import ResourceId
from tests.fakes.azure.replies import Promises
from tests.fakes.azure.routes import Routes
from tests.fakes.azure.world import Resource, World

FIRST_ID = 391145124054712


class Scripts:
    def __init__(self, world: World, promises: Promises) -> None:
        self._world = world
        self._promises = promises
        self.failing: dict[str, str] = {}  # a script's address → what its nodes write before they fail
        self.printing: dict[str, str] = {}  # the same for those that end well

    def register(self, routes: Routes) -> None:
        routes.add("POST", CLUSTER + "/executeScriptActions", self.execute)
        routes.add("GET", CLUSTER + "/scriptActions", self.persisted)
        routes.add("DELETE", CLUSTER + "/scriptActions/{script}", self.forget)
        routes.add("GET", CLUSTER + "/scriptExecutionHistory", self.history)
        routes.add("GET", CLUSTER + "/scriptExecutionHistory/{execution}", self.detail)
        routes.add("POST", CLUSTER + "/scriptExecutionHistory/{execution}/promote", self.promote)

    def execute(self, request: Request) -> Answer:
        cluster = living(self._world, request)
        runs = self._runs(cluster)
        keeps = bool(request.body["persistOnSuccess"])
        scripts = request.body.get("scriptActions") or []
        for script in scripts:
            if keeps and any(each["name"] == script["name"] for each in self._persisted(cluster)):
                message = f"A persisted script with the name '{script['name']}' exists already."
                raise Refused(400, "BadRequest", message)
        started = [self._run(script, FIRST_ID + len(runs) + number) for number, script in enumerate(scripts)]
        runs.extend(started)
        operation = self._world.operation()
        cluster.properties["clusterState"] = "ClusterCustomization"
        self._world.note("scripts", cluster.id, ", ".join(script["name"] for script in scripts))

        def end() -> None:
            for run, script in zip(started, scripts, strict=True):
                self._end(cluster, run, script, keeps=keeps)
            cluster.properties["clusterState"] = "Running"
            failed = [run for run in started if run["status"] == "Failed"]
            if failed:
                message = f"Script action '{failed[0]['name']}' failed on some nodes. Please check the script's output."
                operation.fail({"code": "CustomizationFailedErrorCode", "message": message})
            else:
                operation.succeed()

        self._world.clock.start([lambda: None, end])
        return self._promises.accepted(request, operation, f"{cluster.id}/executeScriptActions")

    def persisted(self, request: Request) -> Answer:
        return Answer(200, {"value": self._persisted(self._cluster(request))})

    def forget(self, request: Request) -> Answer:
        kept = self._persisted(self._cluster(request))
        found = [each for each in kept if each["name"] == request["script"]]
        for each in found:
            kept.remove(each)
        return Answer(200 if found else 204)

    def history(self, request: Request) -> Answer:
        """The newest first, without the output."""
        runs = reversed(self._runs(self._cluster(request)))
        told = [{key: value for key, value in run.items() if key != "debugInformation"} for run in runs]
        return Answer(200, {"value": told})

    def detail(self, request: Request) -> Answer:
        return Answer(200, self._find(request))

    def promote(self, request: Request) -> Answer:
        run = self._find(request)
        cluster = self._cluster(request)
        self._persisted(cluster).append({"name": run["name"], "uri": run["uri"], "roles": run["roles"]})
        return Answer(200)

    def _run(self, script: dict[str, Any], id: int) -> dict[str, Any]:
        return {
            "scriptExecutionId": id,
            "name": script["name"],
            "uri": script["uri"],
            "parameters": script.get("parameters") or "",
            "roles": script["roles"],
            "startTime": "2026-11-16T06:00:00.123",
            "status": "Running",
            "operation": "PostClusterCreateScriptActionRequest",
            "executionSummary": [],
            "debugInformation": "",
        }

    def _end(self, cluster: Resource, run: dict[str, Any], script: dict[str, Any], *, keeps: bool) -> None:
        said = self.failing.get(script["uri"])
        nodes = [host for host in cluster.properties["_hosts"] if _role_of(host) in script["roles"]]
        status = "Succeeded" if said is None else "Failed"
        run["status"] = status
        run["endTime"] = "2026-11-16T06:01:00.123"
        run["executionSummary"] = [{"status": "COMPLETED" if said is None else "FAILED", "instanceCount": len(nodes)}]
        text = said if said is not None else self.printing.get(script["uri"], f"{script['name']} ran")
        run["debugInformation"] = "\n".join(f"{host}: {text}" for host in nodes)
        if keeps and said is None:  # a script that failed is not persisted
            self._persisted(cluster).append({key: script[key] for key in ("name", "uri", "parameters", "roles")})

    def _cluster(self, request: Request) -> Resource:
        id: ResourceId = cluster_id(request)
        found = self._world.find(id)
        if found is None:
            raise not_found(str(id))
        return found

    def _find(self, request: Request) -> dict[str, Any]:
        for run in self._runs(self._cluster(request)):
            if str(run["scriptExecutionId"]) == request["execution"]:
                return run
        raise Refused(404, "NotFound", f"The script execution '{request['execution']}' was not found.")

    def _runs(self, cluster: Resource) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = cluster.properties.setdefault("_script_runs", [])
        return found

    def _persisted(self, cluster: Resource) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = cluster.properties.setdefault("_scripts", [])
        return found


def _role_of(host: str) -> str:
    return {"hn": "headnode", "wn": "workernode", "zk": "zookeepernode"}.get(host[:2], "edgenode")
