"""API versions by which resources of a known type are deleted. To ask for them takes a right on the subscription."""

from __future__ import annotations

_VERSIONS = {
    "microsoft.hdinsight/clusters": "2021-06-01",
    "microsoft.network/virtualnetworks": "2024-05-01",
    "microsoft.network/virtualnetworks/virtualnetworkpeerings": "2024-05-01",
    "microsoft.network/networksecuritygroups": "2024-05-01",
    "microsoft.network/natgateways": "2024-05-01",
    "microsoft.network/publicipaddresses": "2024-05-01",
    "microsoft.network/privateendpoints": "2024-05-01",
    "microsoft.network/privatednszones": "2024-06-01",
    "microsoft.network/privatednszones/virtualnetworklinks": "2024-06-01",
    "microsoft.storage/storageaccounts": "2023-05-01",
    "microsoft.managedidentity/userassignedidentities": "2023-01-31",
    "microsoft.keyvault/vaults": "2023-07-01",
    "microsoft.operationalinsights/workspaces": "2023-09-01",
    "microsoft.insights/actiongroups": "2023-01-01",
    "microsoft.insights/metricalerts": "2018-03-01",
    "microsoft.insights/scheduledqueryrules": "2023-12-01",
    "microsoft.authorization/roleassignments": "2022-04-01",
}


def known_version(type: str) -> str | None:
    return _VERSIONS.get(type.lower())
