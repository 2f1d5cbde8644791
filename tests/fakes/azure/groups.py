"""Resource groups, and lists of what is in them."""

from __future__ import annotations

import re
from typing import Any

from tests.fakes.azure.hdinsight.clusters import visible
from tests.fakes.azure.messages import Answer, Refused, Request
from tests.fakes.azure.names import SUBSCRIPTION_ID, TENANT_ID
from tests.fakes.azure.routes import GROUP, SUBSCRIPTION, Routes
from tests.fakes.azure.world import Group, Resource, World


class Groups:
    def __init__(self, world: World) -> None:
        self._world = world

    def register(self, routes: Routes) -> None:
        routes.add("GET", SUBSCRIPTION, self.subscription)
        routes.add("GET", SUBSCRIPTION + "/resourceGroups", self.list)
        routes.add("GET", GROUP, self.get)
        routes.add("HEAD", GROUP, self.head)
        routes.add("PUT", GROUP, self.put)
        routes.add("PATCH", GROUP, self.put)
        routes.add("DELETE", GROUP, self.delete)
        routes.add("GET", GROUP + "/resources", self.resources)
        routes.add("GET", SUBSCRIPTION + "/resources", self.resources)
        routes.add("GET", SUBSCRIPTION + "/operationresults/{operation}", self.deleted)

    def subscription(self, request: Request) -> Answer:
        id = f"/subscriptions/{SUBSCRIPTION_ID}"
        told = {"id": id, "subscriptionId": SUBSCRIPTION_ID, "tenantId": TENANT_ID, "state": "Enabled"}
        return Answer(200, {**told, "displayName": "fake"})

    def list(self, request: Request) -> Answer:
        wanted = _filtered_tag(request)
        groups = [each for each in self._world.groups.values() if _carries(each.tags, wanted)]
        return Answer(200, {"value": [_shown(each) for each in groups]})

    def get(self, request: Request) -> Answer:
        return Answer(200, _shown(self._world.group(request["group"])))

    def head(self, request: Request) -> Answer:
        return Answer(204 if request["group"].lower() in self._world.groups else 404)

    def put(self, request: Request) -> Answer:
        name = request["group"]
        known = self._world.groups.get(name.lower())
        body = request.body or {}
        if known is None and request.method == "PATCH":
            self._world.group(name)
        if known is not None and known.state == "Deleting":
            raise Refused(409, "ResourceGroupBeingDeleted", f"The resource group '{name}' is in deprovisioning state.")
        if known is None:
            self._world.groups[name.lower()] = Group(name, str(body["location"]), dict(body.get("tags") or {}))
            return Answer(201, _shown(self._world.groups[name.lower()]))
        known.tags = dict(body.get("tags") or {})
        return Answer(200, _shown(known))

    def delete(self, request: Request) -> Answer:
        """Everything in the group goes with it."""
        name = request["group"]
        group = self._world.group(name)
        group.state = "Deleting"
        operation = self._world.operation()

        def gone() -> None:
            inside = [each.id for each in self._world.resources.values() if each.id.group.lower() == name.lower()]
            for id in inside:
                if self._world.find(id) is not None:
                    self._world.remove(id, by=f"group {name}")
            prefix = f"/subscriptions/{SUBSCRIPTION_ID}/resourcegroups/{name}/".lower()
            for deployment in [each for each in self._world.deployments if each.startswith(prefix)]:
                del self._world.deployments[deployment]
            del self._world.groups[name.lower()]
            operation.succeed()

        self._world.clock.start([lambda: None, gone])
        return self._wait(operation.id, request)

    def deleted(self, request: Request) -> Answer:
        operation = self._world.operations.get(request["operation"].lower())
        if operation is None:
            raise Refused(404, "NotFound", f"The operation '{request['operation']}' was not found.")
        return Answer(200) if operation.is_over else self._wait(operation.id, request)

    def resources(self, request: Request) -> Answer:
        """Without bodies. Child resources and role assignments are not in it, as on Azure."""
        group = request.captured.get("group")
        if group is not None:
            self._world.group(group)
        wanted = _filtered_tag(request)
        type = re.search(r"resourceType eq '([^']+)'", request.query.get("$filter", ""))
        found = [
            each
            for each in self._world.resources.values()
            if (group is None or each.id.group.lower() == group.lower())
            and len(each.id.names) == 1
            and not each.id.type.lower().startswith("microsoft.authorization/")
            and _carries(each.body.get("tags") or {}, wanted)
            and (type is None or each.id.type.lower() == type[1].lower())
        ]
        return Answer(200, {"value": [_listed(each) for each in visible(found)]})

    def _wait(self, operation: str, request: Request) -> Answer:
        path = f"/subscriptions/{SUBSCRIPTION_ID}/operationresults/{operation}"
        return Answer(202, None, {"Location": f"{self._world.endpoint}{path}?api-version={request.api_version}"})


def _shown(group: Group) -> dict[str, Any]:
    return {
        "id": f"/subscriptions/{SUBSCRIPTION_ID}/resourceGroups/{group.name}",
        "name": group.name,
        "type": "Microsoft.Resources/resourceGroups",
        "location": group.location,
        "tags": group.tags,
        "properties": {"provisioningState": group.state},
    }


def _listed(resource: Resource) -> dict[str, Any]:
    told = ("location", "tags", "kind", "sku", "identity")
    kept: dict[str, Any] = {key: resource.body[key] for key in told if key in resource.body}
    return {"id": str(resource.id), "name": resource.id.name, "type": resource.id.type, **kept}


def _filtered_tag(request: Request) -> tuple[str, str] | None:
    match = re.search(r"tagName eq '([^']+)' and tagValue eq '([^']*)'", request.query.get("$filter", ""))
    return (match[1], match[2]) if match else None


def _carries(tags: dict[str, str], wanted: tuple[str, str] | None) -> bool:
    return wanted is None or tags.get(wanted[0]) == wanted[1]
