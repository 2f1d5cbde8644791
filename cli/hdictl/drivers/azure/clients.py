"""The SDK's clients, each made when it is first needed."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from hdictl.drivers.azure.operation import polling
from hdictl.drivers.azure.settings import Settings
from hdictl.stack.place import Azure

if TYPE_CHECKING:
    from azure.core.credentials import TokenCredential
    from azure.core.polling import PollingMethod
    from azure.mgmt.hdinsight import HDInsightManagementClient
    from azure.mgmt.network import NetworkManagementClient
    from azure.mgmt.resource.deployments import DeploymentsMgmtClient
    from azure.mgmt.resource.resources import ResourceManagementClient

_CONNECT_SECONDS = 20
_READ_SECONDS = 90


class Clients:
    """One subscription and one resource group of it."""

    def __init__(self, place: Azure, settings: Settings, credential: TokenCredential) -> None:
        self.subscription = place.subscription
        self.group = place.resource_group
        self.location = place.location
        self._settings = settings
        self._credential = credential

    @cached_property
    def hdinsight(self) -> HDInsightManagementClient:
        from azure.mgmt.hdinsight import HDInsightManagementClient

        return HDInsightManagementClient(self._credential, self.subscription, **self._options())

    @cached_property
    def network(self) -> NetworkManagementClient:
        from azure.mgmt.network import NetworkManagementClient

        return NetworkManagementClient(self._credential, self.subscription, **self._options())

    @cached_property
    def resources(self) -> ResourceManagementClient:
        from azure.mgmt.resource.resources import ResourceManagementClient

        return ResourceManagementClient(self._credential, self.subscription, **self._options())

    @cached_property
    def deployments(self) -> DeploymentsMgmtClient:
        from azure.mgmt.resource.deployments import DeploymentsMgmtClient

        return DeploymentsMgmtClient(self._credential, self.subscription, **self._options())

    @property
    def poll_seconds(self) -> float:
        return self._settings.look_seconds

    def polling(self, *, wants_result: bool = False) -> PollingMethod[Any]:
        return polling(self._settings, wants_result=wants_result)

    def close(self) -> None:
        made = vars(self)  # where cached properties are kept; what was never needed is not made now
        for name in ("hdinsight", "network", "resources", "deployments"):
            if name in made:
                made[name].close()

    def _options(self) -> dict[str, Any]:
        from hdictl.drivers.azure.retry import PatientRetry

        return {
            "base_url": self._settings.endpoint,
            "credential_scopes": [self._settings.scope],
            "retry_policy": PatientRetry(self._settings),
            "connection_timeout": _CONNECT_SECONDS,
            "read_timeout": _READ_SECONDS,
            "logging_enable": False,  # bodies hold passwords
        }
