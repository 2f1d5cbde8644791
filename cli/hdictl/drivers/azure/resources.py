"""Any resource by its id, whatever its type.

A body is read with the API version that the template was written with, so that both speak the same words; a client for
each provider would speak the version that it was generated from.
"""

from __future__ import annotations

from typing import Any

from hdictl.drivers.azure.api_versions import known_version
from hdictl.drivers.azure.errors import is_missing, present, translated
from hdictl.drivers.azure.operation import Finished, Started
from hdictl.drivers.azure.subject import Subject, as_sent
from hdictl.errors import CloudRejected
from hdictl.plan.cloud import CloudResource
from hdictl.ports.cloud import Operation
from hdictl.stack.resource_names import STACK_TAG


class Resources(Subject):
    def resource(self, id: str, type: str, api_version: str) -> CloudResource | None:
        name = id.rsplit("/", 1)[-1]
        body = present(
            lambda: self._clients.resources.resources.get_by_id(id, api_version=api_version, cls=as_sent),
            f"{type} `{name}`",
        )
        if body is None:
            return None
        return CloudResource(str(body.get("id") or id), type, name, body.get("tags") or {}, body)

    def tagged(self) -> tuple[CloudResource, ...]:
        # Azure can filter by tag, but then answers without tags; what is deleted by this list is looked at first.
        with translated(f"resource group `{self._group}`"):
            listed = [each.as_dict() for each in self._listed()]
        found = [CloudResource(each["id"], each["type"], each["name"], each.get("tags") or {}) for each in listed]
        return tuple(resource for resource in found if self._is_ours(resource))

    def delete(self, resource: CloudResource) -> Operation:
        from azure.core.exceptions import HttpResponseError

        where = f"{resource.type} `{resource.name}`"
        with translated(where):
            version = known_version(resource.type) or self._newest_version(resource.type)
            try:
                poller = self._clients.resources.resources.begin_delete_by_id(
                    resource.id, api_version=version, polling=self._clients.polling()
                )
            except HttpResponseError as error:
                if not is_missing(error):
                    raise
                return Finished()
        return Started(poller, where)

    def _listed(self) -> list[Any]:
        from azure.core.exceptions import HttpResponseError

        try:
            return list(self._clients.resources.resources.list_by_resource_group(self._group))
        except HttpResponseError as error:
            if is_missing(error):
                return []
            raise

    def _is_ours(self, resource: CloudResource) -> bool:
        # Azure keeps the case of a tag's name as it was first written, and takes any.
        return any(name.lower() == STACK_TAG and value == self._stack for name, value in resource.tags.items())

    def _newest_version(self, type: str) -> str:
        """Of a type that hdictl does not make itself."""
        namespace, _, kind = type.partition("/")
        provider = self._clients.resources.providers.get(namespace).as_dict()
        for each in provider.get("resourceTypes") or ():
            if str(each.get("resourceType")).lower() == kind.lower() and each.get("apiVersions"):
                stable = [version for version in each["apiVersions"] if not version.endswith("preview")]
                return str(max(stable or each["apiVersions"]))
        raise CloudRejected(
            f"Azure does not say how a {type} is deleted", where=type, fix="delete it in the portal, then go on"
        )
