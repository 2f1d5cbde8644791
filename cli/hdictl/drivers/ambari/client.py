"""One cluster's Ambari, as the rest of hdictl sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from hdictl.drivers.ambari import settings
from hdictl.drivers.ambari.transport import Transport, open_session
from hdictl.drivers.azure.secrets import SecretText
from hdictl.errors import AmbariFailed
from hdictl.ports.ambari import (
    KAFKA_BROKER,
    Component,
    ConfigEdit,
    Configuration,
    Host,
    Request,
)
from hdictl.stack.suggest import did_you_mean

_FAILURE_LINES = 5
_COMPONENT_FIELDS = ",".join(
    f"HostRoles/{name}"
    for name in ("host_name", "component_name", "service_name", "state", "stale_configs", "maintenance_state")
)


@contextmanager
def connect(cluster: str, host: str, port: int, user: str, password: SecretText) -> Iterator[AmbariClient]:
    """Ambari of the cluster `cluster` (its name on Azure) behind its gateway."""
    where = f"Ambari of `{cluster}` at {host}:{port}"
    with open_session(user, password) as session:
        root = f"https://{host}:{port}" if port != 443 else f"https://{host}"
        transport = Transport(session, f"{root}/api/v1/clusters", where)
        yield AmbariClient(transport, _spelled(transport, cluster, where), where)


class AmbariClient:
    """An `Ambari`."""

    def __init__(self, transport: Transport, cluster: str, where: str) -> None:
        self.cluster = cluster
        self._transport = transport
        self._where = where

    def hosts(self) -> tuple[Host, ...]:
        by_host: dict[str, list[Component]] = {}
        for component in self._components({}):
            by_host.setdefault(component.host, []).append(component)
        answer = self._get("/hosts", {"fields": "Hosts/ip,Hosts/host_state"})
        found = [each["Hosts"] for each in answer["items"]]
        return tuple(
            Host(
                name=each["host_name"],
                ip=str(each.get("ip") or ""),
                state=str(each.get("host_state") or "UNKNOWN"),
                components=tuple(sorted(by_host.get(each["host_name"], ()), key=lambda part: part.name)),
            )
            for each in sorted(found, key=lambda each: str(each["host_name"]))
        )

    def brokers(self) -> tuple[str, ...]:
        path = f"/services/KAFKA/components/{KAFKA_BROKER}"
        answer = self._get(path, {"fields": "host_components/HostRoles/host_name"})
        return tuple(sorted(each["HostRoles"]["host_name"] for each in answer["host_components"]))

    def addresses(self) -> Mapping[str, str]:
        answer = self._get("/hosts", {"fields": "Hosts/ip"})
        return {each["Hosts"]["host_name"]: each["Hosts"]["ip"] for each in answer["items"]}

    def config_types(self) -> Mapping[str, str]:
        desired = self._get("", {"fields": "Clusters/desired_configs"})["Clusters"]["desired_configs"]
        return {type: str(entry["tag"]) for type, entry in sorted(desired.items())}

    def config(self, type: str) -> Configuration:
        tags = self.config_types()
        if type not in tags:
            raise AmbariFailed(
                f"there is no configuration `{type}`{did_you_mean(type, tags)}",
                where=self._where,
                fix="list them: hdictl ambari config CLUSTER",
            )
        answer = self._get("/configurations", {"type": type, "tag": tags[type]})
        (found,) = answer["items"]
        return Configuration(type, tags[type], found.get("properties") or {}, found.get("properties_attributes") or {})

    def write_configs(self, edits: Sequence[ConfigEdit]) -> tuple[Configuration, ...]:
        wanted = [edit for edit in edits if edit.effective]
        if not wanted:
            return ()
        # Ambari takes whatever comes last, and a write replaces the whole set: look before, and look after.
        settings.require_unmoved(wanted, self.config_types(), self._where)
        written = settings.written(wanted, settings.new_tag())
        self._put("", {"Clusters": {"desired_config": [settings.body(each) for each in written]}})
        settings.require_in_force(written, self.config_types(), self._where)
        return written

    def stale(self) -> tuple[Component, ...]:
        return self._components({"HostRoles/stale_configs": "true"})

    def stop(self, component: Component) -> int | None:
        return self._change_state(component, "INSTALLED", "stop")

    def start(self, component: Component) -> int | None:
        return self._change_state(component, "STARTED", "start")

    def maintain(self, component: Component, *, on: bool) -> None:
        body = {"HostRoles": {"maintenance_state": "ON" if on else "OFF"}}
        context = f"hdictl: maintenance mode {'on' if on else 'off'}"
        self._put(_path(component), {"RequestInfo": {"context": context}, "Body": body})

    def request(self, id: int) -> Request:
        found = self._get(f"/requests/{id}", {"fields": "Requests/request_status,Requests/progress_percent"})[
            "Requests"
        ]
        request = Request(id, str(found["request_status"]), float(found.get("progress_percent") or 0))
        if request.is_over and not request.is_good:
            return Request(id, request.status, request.percent, self._failure(id))
        return request

    def _change_state(self, component: Component, state: str, word: str) -> int | None:
        # A component in maintenance mode is passed over in silence unless the request says that it means just this one.
        level = {
            "level": "HOST_COMPONENT",
            "cluster_name": self.cluster,
            "host_name": component.host,
            "service_name": component.service,
        }
        info = {"context": f"hdictl: {word} {component.name} on {component.host}", "operation_level": level}
        answer = self._put(_path(component), {"RequestInfo": info, "Body": {"HostRoles": {"state": state}}})
        id = (answer.get("Requests") or {}).get("id")
        return int(id) if id is not None else None

    def _failure(self, id: int) -> str:
        answer = self._get(f"/requests/{id}/tasks", {"fields": "Tasks/status,Tasks/stderr,Tasks/stdout"})
        for each in answer["items"]:
            task = each["Tasks"]
            if task.get("status") != "COMPLETED":
                lines = str(task.get("stderr") or task.get("stdout") or "").strip().splitlines()
                return "\n".join(lines[-_FAILURE_LINES:])
        return ""

    def _components(self, predicate: Mapping[str, str]) -> tuple[Component, ...]:
        answer = self._get("/host_components", {**predicate, "fields": _COMPONENT_FIELDS})
        return tuple(_component(each["HostRoles"]) for each in answer["items"])

    def _get(self, path: str, query: Mapping[str, str]) -> dict[str, Any]:
        return self._transport.get(f"/{self.cluster}{path}", query)

    def _put(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        return self._transport.put(f"/{self.cluster}{path}", body)


def _path(component: Component) -> str:
    return f"/hosts/{component.host}/host_components/{component.name}"


def _component(found: Mapping[str, Any]) -> Component:
    return Component(
        host=str(found["host_name"]),
        name=str(found["component_name"]),
        service=str(found.get("service_name") or ""),
        state=str(found.get("state") or "UNKNOWN"),
        is_stale=bool(found.get("stale_configs")),
        in_maintenance=str(found.get("maintenance_state") or "OFF") != "OFF",
    )


def _spelled(transport: Transport, cluster: str, where: str) -> str:
    """Azure does not mind the case of a cluster's name; Ambari's paths do."""
    known = [str(each["Clusters"]["cluster_name"]) for each in transport.get("").get("items") or ()]
    for name in known:
        if name.lower() == cluster.lower():
            return name
    raise AmbariFailed(
        f"it runs {', '.join(f'`{name}`' for name in known) or 'no cluster'}, not `{cluster}`",
        where=where,
        fix="see `name` of the cluster in the stack, and what the host name leads to",
    )
