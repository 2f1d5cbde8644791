"""The entrance: Azure as the stack names it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hdictl.arm.place import azure_of
from hdictl.drivers.azure.clients import Clients
from hdictl.drivers.azure.clusters import Clusters
from hdictl.drivers.azure.credential import sign_in
from hdictl.drivers.azure.deployments import Deployments
from hdictl.drivers.azure.dry_run import DryRun
from hdictl.drivers.azure.groups import Groups
from hdictl.drivers.azure.monitor import Monitoring
from hdictl.drivers.azure.network import Network
from hdictl.drivers.azure.preflight import Preflight
from hdictl.drivers.azure.resources import Resources
from hdictl.drivers.azure.scripts import Scripts
from hdictl.drivers.azure.settings import Settings, settings
from hdictl.ports.cloud import Cloud
from hdictl.stack.model import Stack


class AzureCloud(Groups, Resources, Network, Deployments, DryRun, Clusters, Preflight, Monitoring, Scripts):
    """One subject a class; together they are `hdictl.ports.cloud.Cloud`."""


@contextmanager
def connect(stack: Stack, told: Settings | None = None) -> Iterator[Cloud]:
    """Nothing is asked yet: who is not signed in learns it at the first request."""
    clients = Clients(azure_of(stack), told or settings(), sign_in())
    try:
        yield AzureCloud(clients, stack.stack)
    finally:
        clients.close()
