"""Ambari's REST interface over an `AmbariWorld`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.fakes.azure.ambari.world import SERVICES, AmbariWorld, Config, Part, Work
from tests.fakes.azure.messages import Answer, Request
from tests.fakes.azure.routes import Routes

ROOT = "/api/v1/clusters"
_INTERNAL = "http://10.20.1.10:8080"
_PLAIN = {"Content-Type": "text/plain"}


class AmbariApi:
    """Answers for one cluster; whoever asks has been let in by the gateway already."""

    def __init__(self, world: AmbariWorld) -> None:
        self._world = world
        self._routes = Routes()
        cluster = f"{ROOT}/{world.cluster}"
        for method, path, handler in (
            ("GET", "", self._cluster),
            ("PUT", "", self._write),
            ("GET", "/configurations", self._configurations),
            ("GET", "/hosts", self._hosts),
            ("GET", "/host_components", self._host_components),
            ("GET", "/services/{service}/components/{component}", self._component),
            ("PUT", "/hosts/{host}/host_components/{component}", self._change),
            ("GET", "/requests/{id}", self._request),
            ("GET", "/requests/{id}/tasks", self._tasks),
        ):
            self._routes.add(method, f"{cluster}{path}", handler)

    def answer(self, request: Request) -> Answer:
        if request.method != "GET" and not request.headers.get("x-requested-by"):
            return refused(400, "CSRF protection is turned on. X-Requested-By HTTP header is required.")
        # The routes do not mind the case; Ambari does.
        spelled = request.path.removeprefix(f"{ROOT}/").split("/")[0]
        found = self._routes.find(request) if spelled == self._world.cluster else None
        if found is None:
            what = f"Cluster not found, clusterName={spelled}"
            return refused(404, f"The requested resource doesn't exist: {what}")
        handler, captured = found
        return handler(captured)

    def _cluster(self, request: Request) -> Answer:
        desired = {
            type: {"tag": versions[-1].tag, "version": versions[-1].version}
            for type, versions in self._world.configs.items()
        }
        return _json({"Clusters": {"cluster_name": self._world.cluster, "desired_configs": desired}}, request)

    def _configurations(self, request: Request) -> Answer:
        type, tag = request.query.get("type"), request.query.get("tag")
        chosen = [
            (name, each)
            for name, versions in self._world.configs.items()
            for each in versions
            if type in (None, name) and tag in (None, each.tag)
        ]
        # Properties come only when one configuration is named by type and tag.
        whole = type is not None and tag is not None
        return _json({"items": [_config(name, each, whole=whole) for name, each in chosen]}, request)

    def _hosts(self, request: Request) -> Answer:
        items = [
            {
                "Hosts": {
                    "host_name": name,
                    "ip": ip,
                    "host_state": "HEARTBEAT_LOST" if name in self._world.lost else "HEALTHY",
                    "cluster_name": self._world.cluster,
                }
            }
            for name, ip in self._world.hosts.items()
        ]
        return _json({"items": items}, request)

    def _host_components(self, request: Request) -> Answer:
        wanted = {
            key.removeprefix("HostRoles/"): value
            for key, value in request.query.items()
            if key.startswith("HostRoles/")
        }
        self._world.pass_time()
        found = [self._role(part) for part in self._world.parts]
        fits = [role for role in found if all(str(role[key]).lower() == value for key, value in wanted.items())]
        return _json({"items": [{"HostRoles": role} for role in fits]}, request)

    def _component(self, request: Request) -> Answer:
        name = request["component"]
        parts = [part for part in self._world.parts if part.name == name]
        if not parts or SERVICES.get(name) != request["service"]:
            return refused(404, f"The requested resource doesn't exist: ServiceComponent not found, {name}")
        roles = [{"HostRoles": {"host_name": part.host, "component_name": name}} for part in parts]
        return _json({"ServiceComponentInfo": {"component_name": name}, "host_components": roles}, request)

    def _write(self, request: Request) -> Answer:
        given = request.body["Clusters"]["desired_config"]
        for each in given if isinstance(given, list) else [given]:
            try:
                attributes = each.get("properties_attributes") or {}
                self._world.write(each["type"], each["tag"], each["properties"], attributes)
            except ValueError as error:
                return refused(500, str(error))
        return Answer(200, None, _PLAIN)

    def _change(self, request: Request) -> Answer:
        part = self._world.part(request["host"], request["component"])
        if part is None:
            return refused(404, "The requested resource doesn't exist: ServiceComponentHost not found")
        info = request.body.get("RequestInfo") or {}
        role = (request.body.get("Body") or request.body)["HostRoles"]
        if "maintenance_state" in role:
            part.maintenance = role["maintenance_state"]
            self._world.history.append(f"maintenance {part.maintenance.lower()} {part.host}")
            return Answer(200, None, _PLAIN)
        level = (info.get("operation_level") or {}).get("level", "CLUSTER")
        if role["state"] == part.state or (part.maintenance == "ON" and level != "HOST_COMPONENT"):
            return Answer(200, None, _PLAIN)
        if part.state in ("STARTING", "STOPPING"):
            return refused(500, f"Invalid transition for servicecomponenthost, currentState={part.state}")
        work = self._world.begin(part, role["state"], str(info.get("context", "")))
        body = {"Requests": {"id": work.id, "status": "Accepted"}}
        return Answer(202, {"href": f"{_INTERNAL}{ROOT}/{self._world.cluster}/requests/{work.id}", **body}, _PLAIN)

    def _request(self, request: Request) -> Answer:
        work = self._work(request)
        if work is None:
            return refused(
                404, f"The requested resource doesn't exist: Request resource doesn't exist, {request['id']}"
            )
        self._world.pass_time()
        percent = 100.0 if work.status != "IN_PROGRESS" else 35.0
        found = {"id": work.id, "request_status": work.status, "progress_percent": percent}
        return _json({"Requests": {**found, "request_context": work.context}}, request)

    def _tasks(self, request: Request) -> Answer:
        work = self._work(request)
        if work is None:
            return refused(404, "The requested resource doesn't exist")
        task = {"id": work.id, "status": work.status, "stderr": work.stderr, "stdout": ""}
        return _json({"items": [{"Tasks": task}]}, request)

    def _work(self, request: Request) -> Work | None:
        return self._world.works.get(int(request["id"]))

    def _role(self, part: Part) -> dict[str, Any]:
        return {
            "cluster_name": self._world.cluster,
            "component_name": part.name,
            "host_name": part.host,
            "service_name": SERVICES[part.name],
            "state": part.state,
            "maintenance_state": part.maintenance,
            "stale_configs": self._world.is_stale(part),
        }


def clusters(names: list[str], request: Request) -> Answer:
    return _json({"items": [{"Clusters": {"cluster_name": name}} for name in names]}, request)


def refused(status: int, message: str) -> Answer:
    return Answer(status, {"status": status, "message": message}, _PLAIN)


def _config(type: str, config: Config, *, whole: bool) -> dict[str, Any]:
    found: dict[str, Any] = {"type": type, "tag": config.tag, "version": config.version}
    if whole:
        found |= {"properties": config.properties, "properties_attributes": config.attributes}
    return found


def _json(body: Mapping[str, Any], request: Request) -> Answer:
    return Answer(200, {"href": f"{_INTERNAL}{request.path}", **body}, _PLAIN)
