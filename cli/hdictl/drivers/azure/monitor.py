"""The Azure Monitor Agent of a cluster.

The classic extensions (clustermonitoring, azureMonitor) are dead: they cannot be switched on any more, and what they
sent is not kept. The agent is an extension like any other, of a later API than the SDK was made for; the SDK's general
methods for extensions take its name and version.
"""

from __future__ import annotations

from typing import Any

from hdictl.drivers.azure.errors import is_missing, present, translated
from hdictl.drivers.azure.operation import Finished, Started
from hdictl.drivers.azure.secrets import SecretText
from hdictl.drivers.azure.subject import Subject, as_sent, to_json
from hdictl.errors import CloudRejected
from hdictl.ports.cloud import Operation

_AGENT = "azureMonitorAgent"
_AGENT_VERSION = "2024-08-01-preview"
_WORKSPACE_VERSION = "2023-09-01"


class Monitoring(Subject):
    def monitoring(self, cluster: str) -> str | None:
        answer: Any = present(
            lambda: self._clients.hdinsight.extensions.get(
                self._group, cluster, _AGENT, api_version=_AGENT_VERSION, cls=as_sent
            ),
            _where(cluster),
        )
        return str(answer.get("workspaceId") or "") if answer and answer.get("clusterMonitoringEnabled") else None

    def monitor(self, cluster: str, workspace_id: str | None) -> Operation:
        return self._switch_off(cluster) if workspace_id is None else self._switch_on(cluster, workspace_id)

    def _switch_on(self, cluster: str, workspace_id: str) -> Operation:
        with translated(_where(cluster)):
            poller = self._clients.hdinsight.extensions.begin_create(
                self._group,
                cluster,
                _AGENT,
                to_json({"workspaceId": self._guid(workspace_id), "primaryKey": self._key(workspace_id)}),
                api_version=_AGENT_VERSION,
                polling=self._clients.polling(),
            )
        return Started(poller, _where(cluster))

    def _switch_off(self, cluster: str) -> Operation:
        from azure.core.exceptions import HttpResponseError

        with translated(_where(cluster)):
            try:
                poller = self._clients.hdinsight.extensions.begin_delete(
                    self._group, cluster, _AGENT, api_version=_AGENT_VERSION, polling=self._clients.polling()
                )
            except HttpResponseError as error:
                if not is_missing(error):
                    raise
                return Finished()
        return Started(poller, _where(cluster))

    def _guid(self, workspace_id: str) -> str:
        """The agent knows a workspace by its GUID, not by its resource id."""
        workspace: Any = self._clients.resources.resources.get_by_id(
            workspace_id, api_version=_WORKSPACE_VERSION, cls=as_sent
        )
        guid = (workspace.get("properties") or {}).get("customerId")
        if not guid:
            raise CloudRejected(
                "the Log Analytics workspace has no id of its own yet",
                where=workspace_id,
                fix="it is being made; try again in a minute",
            )
        return str(guid)

    def _key(self, workspace_id: str) -> SecretText:
        from azure.core.rest import HttpRequest

        from hdictl.drivers.azure.retry import REPEATABLE

        request = HttpRequest("POST", f"{workspace_id}/sharedKeys", params={"api-version": _WORKSPACE_VERSION})
        response = self._clients.resources.send_request(request, **REPEATABLE)
        response.raise_for_status()
        return SecretText(response.json()["primarySharedKey"])


def _where(cluster: str) -> str:
    return f"monitoring of cluster `{cluster}`"
